-- Settles a pending payout. On approval, the recipient receives the held amount, converted if the currencies differ, and the house receives
-- the fee. On rejection, the amount and fee return to the merchant's wallet, and the amount no longer counts toward the daily and monthly
-- limits of the date on which the payout was created. Writes `payout.completed` or `payout.failed`. TG003: unknown payout; TG044: already
-- decided, possibly by a concurrent call; TG022: the wallet that would receive the amount is closed; TG045: the recipient is deactivated;
-- TG049, TG050 as in require_active_currencies (a payout that raises TG045, TG049 or TG050 can still be rejected).
CREATE OR REPLACE FUNCTION settle_payout(p_payout_id text, p_approve boolean, p_trx_id text, p_transfer_id uuid) RETURNS payouts LANGUAGE plpgsql AS $$
DECLARE
  p payouts;
  hold_account uuid;
BEGIN
  PERFORM begin_write(1);
  SELECT * INTO p FROM payouts WHERE id = p_payout_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'payout % not found', p_payout_id USING ERRCODE = 'TG003';
  END IF;
  IF p.status <> 'pending' THEN
    RAISE EXCEPTION 'payout % is %', p_payout_id, p.status USING ERRCODE = 'TG044';
  END IF;
  hold_account := account_of(p.mode, p.sender_currency, 'hold', p.merchant_id);
  IF p_approve THEN
    PERFORM FROM wallet_users WHERE id = p.wallet_user_id AND mode = p.mode AND active FOR SHARE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'the recipient is deactivated' USING ERRCODE = 'TG045';
    END IF;
    PERFORM book_transfer(p_transfer_id, p.mode, 'payout', NULL, payout_lines(p, hold_account));
    UPDATE payouts SET status = 'completed', transfer_id = p_transfer_id, trx_id = p_trx_id, processed_at = clock_timestamp()
      WHERE id = p.id RETURNING * INTO p;
    PERFORM emit_event(p.mode, p.merchant_id, 'payout.completed', NULL, NULL, p.id);
    PERFORM require_active_currencies(1, ARRAY[p]);
  ELSE
    PERFORM release_usage(p, 'day');
    PERFORM release_usage(p, 'month');
    PERFORM move_between_wallets(p_transfer_id, p.mode, 'hold_return', p.sender_currency, hold_account,
      account_of(p.mode, p.sender_currency, 'merchant', p.merchant_id), p.amount + p.fee, NULL);
    UPDATE payouts SET status = 'failed', transfer_id = p_transfer_id, processed_at = clock_timestamp()
      WHERE id = p.id RETURNING * INTO p;
    PERFORM emit_event(p.mode, p.merchant_id, 'payout.failed', NULL, NULL, p.id);
  END IF;
  RETURN p;
END $$;
