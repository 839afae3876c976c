"""From chosen files to committed documents."""
