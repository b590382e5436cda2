-- What payouts, quotes and holds may be. Rule 7: a hold is settled or returned exactly once. Rule 8: a quote is used at
-- most once (payouts carry it under a unique key).

ALTER TABLE payouts
  ADD CONSTRAINT payouts_amounts CHECK (amount > 0 AND fee >= 0 AND receiver_amount > 0 AND rate > 0),
  ADD CONSTRAINT payouts_same_currency CHECK (sender_currency <> receiver_currency OR (rate = 1 AND receiver_amount = amount)),
  ADD CONSTRAINT payouts_processed CHECK ((status = 'pending') = (processed_at IS NULL)),
  ADD CONSTRAINT payouts_pending_is_held CHECK (status <> 'pending' OR (hold_transfer_id IS NOT NULL AND transfer_id IS NULL)),
  ADD CONSTRAINT payouts_settled_moved_money CHECK (status = 'pending' OR transfer_id IS NOT NULL),
  ADD CONSTRAINT payouts_failed_was_held CHECK (status <> 'failed' OR hold_transfer_id IS NOT NULL),
  ADD CONSTRAINT payouts_completed_is_numbered CHECK ((status = 'completed') = (trx_id IS NOT NULL));

ALTER TABLE refunds
  ADD CONSTRAINT refunds_pending_is_held CHECK (status <> 'pending' OR (hold_transfer_id IS NOT NULL AND transfer_id IS NULL)),
  ADD CONSTRAINT refunds_failed_returned_hold CHECK (status <> 'failed' OR (hold_transfer_id IS NOT NULL AND transfer_id IS NOT NULL));

ALTER TABLE quotes ADD CONSTRAINT quotes_amounts CHECK (amount > 0 AND fee >= 0 AND receiver_amount > 0 AND rate > 0);

ALTER TABLE payout_usage ADD CONSTRAINT payout_usage_not_negative CHECK (amount >= 0);

ALTER TABLE payout_terms ADD CONSTRAINT payout_terms_limits CHECK (
  coalesce(per_transaction, 0) >= 0 AND coalesce(daily, 0) >= 0 AND coalesce(monthly, 0) >= 0 AND coalesce(review_above, 0) >= 0);

ALTER TABLE fee_schedules ADD CONSTRAINT fee_schedules_amounts CHECK (fixed >= 0 AND percent BETWEEN 0 AND 100);
CREATE UNIQUE INDEX fee_schedules_one_per_merchant ON fee_schedules (merchant_id, mode, currency) WHERE merchant_id IS NOT NULL;
CREATE UNIQUE INDEX fee_schedules_one_default ON fee_schedules (mode, currency) WHERE merchant_id IS NULL;

ALTER TABLE exchange_rates
  ADD CONSTRAINT exchange_rates_positive CHECK (rate > 0 AND spread_percent >= 0 AND spread_percent < 100),
  ADD CONSTRAINT exchange_rates_two_currencies CHECK (base <> quote);

ALTER TABLE merchants ADD CONSTRAINT merchants_rate_limits CHECK (
  coalesce(pay_requests_a_minute, 1) > 0 AND coalesce(partner_requests_a_minute, 1) > 0);

-- Payouts that wait for an administrator.
CREATE INDEX payouts_pending ON payouts (created_at) WHERE status = 'pending';
CREATE INDEX refunds_pending ON refunds (created_at) WHERE status = 'pending';

-- One transfer settles one payout; what is held is held for one payout or refund.
CREATE UNIQUE INDEX payouts_one_per_transfer ON payouts (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE UNIQUE INDEX payouts_one_per_hold ON payouts (hold_transfer_id) WHERE hold_transfer_id IS NOT NULL;
CREATE UNIQUE INDEX refunds_one_per_hold ON refunds (hold_transfer_id) WHERE hold_transfer_id IS NOT NULL;

CREATE TRIGGER payouts_are_kept BEFORE DELETE OR TRUNCATE ON payouts FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION guard_payout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'pending' THEN
    RAISE EXCEPTION 'payout % is already %', OLD.id, OLD.status USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.reference, NEW.quote_id, NEW.wallet_user_id, NEW.recipient_account_id, NEW.amount,
      NEW.sender_currency, NEW.fee, NEW.rate, NEW.receiver_amount, NEW.receiver_currency, NEW.hold_transfer_id, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.reference, OLD.quote_id, OLD.wallet_user_id, OLD.recipient_account_id, OLD.amount,
      OLD.sender_currency, OLD.fee, OLD.rate, OLD.receiver_amount, OLD.receiver_currency, OLD.hold_transfer_id, OLD.created_at) THEN
    RAISE EXCEPTION 'payout % keeps its terms', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER payouts_are_guarded BEFORE UPDATE ON payouts FOR EACH ROW EXECUTE FUNCTION guard_payout();

CREATE FUNCTION guard_quote() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.used_at IS NOT NULL OR (NEW.merchant_id, NEW.mode, NEW.wallet_user_id, NEW.amount, NEW.fee, NEW.rate, NEW.receiver_amount, NEW.sender_currency, NEW.receiver_currency)
     IS DISTINCT FROM (OLD.merchant_id, OLD.mode, OLD.wallet_user_id, OLD.amount, OLD.fee, OLD.rate, OLD.receiver_amount, OLD.sender_currency, OLD.receiver_currency) THEN
    RAISE EXCEPTION 'quote % is fixed', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER quotes_are_guarded BEFORE UPDATE ON quotes FOR EACH ROW EXECUTE FUNCTION guard_quote();

-- A payout is written before its transfer, in the same transaction.
ALTER TABLE payouts ALTER CONSTRAINT payouts_transfer_id_mode_fkey DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE payouts ALTER CONSTRAINT payouts_hold_transfer_id_mode_fkey DEFERRABLE INITIALLY DEFERRED;
