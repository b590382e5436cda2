-- Checks on entries.
ALTER TABLE entries
  ADD CONSTRAINT entries_move_something CHECK (amount <> 0);
