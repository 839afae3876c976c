"""The library file: tables, migrations, backups, queries."""
