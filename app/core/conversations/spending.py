"""The cost of answers, summed over the saved exchanges."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from app.domain.model_servers import Spending

if TYPE_CHECKING:
    from app.core.storage.database import Database


def month_start(now: float | None = None) -> float:
    """Return the start of the month in local time, as seconds since the epoch."""
    today = time.localtime(now)
    return time.mktime((today.tm_year, today.tm_mon, 1, 0, 0, 0, 0, 0, -1))


def spent_since(database: Database, start: float, budget: int = 0) -> Spending:
    """Sum all exchanges since ``start``, including those of deleted conversations."""
    row = database.connection.execute(
        """SELECT total(json_extract(usage, '$.cost')) AS dollars,
                  total(json_extract(usage, '$.input_tokens')) + total(json_extract(usage, '$.output_tokens'))
                  + total(json_extract(usage, '$.cache_read_tokens'))
                  + total(json_extract(usage, '$.cache_write_tokens')) AS tokens,
                  total(json_extract(usage, '$.cache_read_tokens')) AS cached,
                  count(*) FILTER (WHERE json_extract(usage, '$.output_tokens') > 0) AS answers
           FROM exchanges WHERE created_at >= ?""",
        (start,),
    ).fetchone()
    return Spending(row["dollars"], int(row["tokens"]), int(row["cached"]), row["answers"], budget)
