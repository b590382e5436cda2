-- Rejects the statements named by the triggers below (TG090). Ledger rule 2: booked rows are final; a correction is a new transfer. Audit
-- records, signed confirmations, idempotency keys (without them, a repeat would move money again) and exchange rates (they prove
-- conversions, so a new rate is a new row) are also final.
CREATE OR REPLACE FUNCTION reject_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is not allowed: %', TG_OP, TG_TABLE_NAME, TG_ARGV[0] USING ERRCODE = 'TG090';
END $$;

CREATE TRIGGER transfers_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON transfers
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('a correction is a new transfer');
CREATE TRIGGER entries_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('a correction is a new transfer');
CREATE TRIGGER accounts_are_kept BEFORE DELETE OR TRUNCATE ON accounts
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('rows of the ledger are permanent');
CREATE TRIGGER orders_are_kept BEFORE DELETE OR TRUNCATE ON orders
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('rows of the ledger are permanent');
CREATE TRIGGER refunds_are_kept BEFORE DELETE OR TRUNCATE ON refunds
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('rows of the ledger are permanent');
CREATE TRIGGER payouts_are_kept BEFORE DELETE OR TRUNCATE ON payouts
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('rows of the ledger are permanent');
CREATE TRIGGER conversions_are_kept BEFORE TRUNCATE ON conversions
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('rows of the ledger are permanent');
CREATE TRIGGER event_retention_is_kept BEFORE TRUNCATE ON event_retention
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('it records which events were pruned');
CREATE TRIGGER event_floor_is_kept BEFORE TRUNCATE ON event_floor
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('it orders all later events');
CREATE TRIGGER events_are_final BEFORE UPDATE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('an event is sent as it was written');

CREATE TRIGGER audit_records_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_records
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('audit records are permanent');
CREATE TRIGGER approval_requests_are_kept BEFORE DELETE OR TRUNCATE ON approval_requests
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('audit records are permanent');
CREATE TRIGGER administrator_requests_are_kept BEFORE DELETE OR TRUNCATE ON administrator_requests
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('audit records are permanent');

CREATE TRIGGER idempotency_keys_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON idempotency_keys
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('a key names what it created');
CREATE TRIGGER exchange_rates_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON exchange_rates
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('a new rate is a new row');

CREATE TRIGGER wallet_passkeys_are_kept BEFORE DELETE OR TRUNCATE ON wallet_passkeys
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('evidence names it');
CREATE TRIGGER payment_confirmations_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON payment_confirmations
  FOR EACH STATEMENT EXECUTE FUNCTION reject_change('signed evidence is permanent');
