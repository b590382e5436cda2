-- How many of the payments in compared and skipped are in live mode. Sandbox and live are separate accounts in Tillgate.
ALTER TABLE comparisons ADD COLUMN live_compared INTEGER NOT NULL DEFAULT 0;
ALTER TABLE comparisons ADD COLUMN live_skipped INTEGER NOT NULL DEFAULT 0;
