-- Checks on transfers. Only deposits, withdrawals and top-ups can have a reference. Only deposits and withdrawals can correct
-- another transfer.
ALTER TABLE transfers
  ADD CONSTRAINT transfers_correct_another CHECK (corrects <> id),
  ADD CONSTRAINT transfers_correct_funds CHECK (corrects IS NULL OR kind IN ('deposit', 'withdrawal')),
  ADD CONSTRAINT transfers_reference_of_funds CHECK (external_reference IS NULL OR kind IN ('deposit', 'withdrawal', 'top_up'));
