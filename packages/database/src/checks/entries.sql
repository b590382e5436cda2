-- What a row of entries may be.
ALTER TABLE entries
  ADD CONSTRAINT entries_move_something CHECK (amount <> 0);
