-- Writes come in sets: a line of a transfer says whom it is for, and an event of many draws its own id.
CREATE TYPE booked_line AS (
  item text, transfer_id uuid, mode mode, kind transfer_kind, external_reference text, account_id uuid, currency text, amount bigint);
ALTER TABLE "events" ALTER COLUMN "id" SET DEFAULT 'evt_' || replace((gen_random_uuid())::text, '-', '');
