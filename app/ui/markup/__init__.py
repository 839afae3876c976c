"""The HTML of answers and the guide as Qt draws it: code, formulas, pictures."""
