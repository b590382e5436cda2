-- What a row of transfers may be.
ALTER TABLE transfers
  ADD CONSTRAINT transfers_correct_another CHECK (corrects <> id);
