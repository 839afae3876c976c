"""Markdown to the HTML that answers, exports and the guide are shown as, with citation marks in it."""
