-- What a row of transfers may be. References name money from and to outside: no other transfer takes one, and only such money is
-- corrected, exactly back.
ALTER TABLE transfers
  ADD CONSTRAINT transfers_correct_another CHECK (corrects <> id),
  ADD CONSTRAINT transfers_correct_funds CHECK (corrects IS NULL OR kind IN ('deposit', 'withdrawal')),
  ADD CONSTRAINT transfers_reference_of_funds CHECK (external_reference IS NULL OR kind IN ('deposit', 'withdrawal', 'top_up'));
