"""Readers of Word documents and presentations."""
