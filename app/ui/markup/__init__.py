"""Markdown to the HTML of answers, exports and the guide, with citation marks."""
