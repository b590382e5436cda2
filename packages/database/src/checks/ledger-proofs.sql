-- Checks on ledger_proofs. A finished proof has either a result or an error. Its result is sound if there are no violations.
ALTER TABLE ledger_proofs
  ADD CONSTRAINT ledger_proofs_finished CHECK ((finished_at IS NULL) = (num_nulls(sound, error) = 2)),
  ADD CONSTRAINT ledger_proofs_one_result CHECK (num_nonnulls(sound, error) <= 1),
  ADD CONSTRAINT ledger_proofs_sound_without_faults CHECK (sound IS NULL OR sound = (cardinality(faults) = 0));
