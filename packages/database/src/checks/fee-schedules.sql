-- Checks on fee_schedules.
ALTER TABLE fee_schedules
  ADD CONSTRAINT fee_schedules_amounts CHECK (fixed >= 0 AND percent BETWEEN 0 AND 100);
