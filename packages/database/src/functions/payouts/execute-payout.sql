-- Executes a payout, or holds its money until an administrator decides: if the caller says so (p_needs_approval), or the
-- terms do by now. The caller has decided rate, fee and recipient. Checked again here is what can race: idempotency key,
-- reference, quote, recipient, the merchant's suspension and terms, limits, balance, and last of all the currencies.
-- Answers the payout and whether it was a repeat of the same idempotency key; the partner API's repeats always answer the
-- original, so the fields of a repeat are not compared. TG040: the quote is used, expired or foreign; TG041: another payout
-- has this reference; TG042, TG043: limit of the day, of the month; TG045: the recipient is deactivated; TG013: the
-- merchant is suspended; TG047: above the limit of one payout; TG048: the sender currency is not authorised; TG049, TG050
-- as require_active_currencies; TG020, TG022 as book_transfer.
CREATE OR REPLACE FUNCTION execute_payout(
  p_payout_id text, p_merchant_id uuid, p_mode mode, p_idempotency_key text, p_reference text, p_quote_id uuid, p_wallet_user_id uuid,
  p_recipient_account_id uuid, p_amount bigint, p_sender_currency text, p_fee bigint, p_rate numeric, p_receiver_amount bigint, p_receiver_currency text,
  p_description text, p_trx_id text, p_transfer_id uuid, p_needs_approval boolean, p_metadata text DEFAULT NULL,
  OUT replayed boolean, OUT result payouts)
LANGUAGE plpgsql AS $$
DECLARE
  earlier_id text := claim_idempotency_key(p_merchant_id, p_mode, 'execute_payout', p_idempotency_key, ''::bytea, p_payout_id);
  merchant_account uuid;
  terms payout_terms;
  waits boolean;
BEGIN
  replayed := earlier_id IS NOT NULL;
  IF replayed THEN
    SELECT * INTO STRICT result FROM payouts WHERE id = earlier_id AND mode = p_mode;
    RETURN;
  END IF;
  result.id := p_payout_id;
  result.mode := p_mode;
  result.merchant_id := p_merchant_id;
  result.reference := p_reference;
  result.quote_id := p_quote_id;
  result.wallet_user_id := p_wallet_user_id;
  result.recipient_account_id := p_recipient_account_id;
  result.amount := p_amount;
  result.sender_currency := p_sender_currency;
  result.fee := p_fee;
  result.rate := p_rate;
  result.receiver_amount := p_receiver_amount;
  result.receiver_currency := p_receiver_currency;
  result.description := p_description;
  result.metadata := p_metadata;
  result.created_at := clock_timestamp();
  -- The terms cannot change before this payout is decided: a change waits, like the next payout's limit.
  SELECT * INTO terms FROM payout_terms WHERE merchant_id = p_merchant_id AND mode = p_mode AND currency = p_sender_currency FOR SHARE;
  waits := p_needs_approval OR coalesce(p_amount > terms.review_above, false);
  IF waits THEN
    result.status := 'pending';
    result.hold_transfer_id := p_transfer_id;
  ELSE
    result.status := 'completed';
    result.transfer_id := p_transfer_id;
    result.trx_id := p_trx_id;
    result.processed_at := result.created_at;
  END IF;
  -- The row comes first: two payouts with one new reference at the same instant meet here, before another rule can refuse
  -- the second. Its transfer follows in this transaction (the foreign keys wait for the commit).
  INSERT INTO payouts SELECT (result).* ON CONFLICT (merchant_id, mode, reference) DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'reference is taken' USING ERRCODE = 'TG041';
  END IF;
  IF p_quote_id IS NOT NULL THEN
    UPDATE quotes SET used_at = least(clock_timestamp(), expires_at)
      WHERE id = p_quote_id AND merchant_id = p_merchant_id AND mode = p_mode AND used_at IS NULL AND expires_at > clock_timestamp();
    IF NOT FOUND THEN
      RAISE EXCEPTION 'quote % cannot be used', p_quote_id USING ERRCODE = 'TG040';
    END IF;
  END IF;
  PERFORM FROM merchants WHERE id = p_merchant_id AND suspended_at IS NULL FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'merchant % is suspended', p_merchant_id USING ERRCODE = 'TG013';
  END IF;
  PERFORM FROM wallet_users WHERE id = p_wallet_user_id AND mode = p_mode AND active FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'recipient is deactivated' USING ERRCODE = 'TG045';
  END IF;
  IF terms.authorized IS NOT TRUE THEN
    RAISE EXCEPTION '% is not authorised for payouts', p_sender_currency USING ERRCODE = 'TG048';
  END IF;
  IF p_amount > terms.per_transaction THEN
    RAISE EXCEPTION 'above the limit of one payout' USING ERRCODE = 'TG047';
  END IF;
  PERFORM take_usage(result, 'day', terms.daily, 'TG042');
  PERFORM take_usage(result, 'month', terms.monthly, 'TG043');
  merchant_account := account_of(p_mode, p_sender_currency, 'merchant', p_merchant_id);
  IF waits THEN
    PERFORM move_between_wallets(p_transfer_id, p_mode, 'hold', p_sender_currency, merchant_account,
      account_of(p_mode, p_sender_currency, 'hold', p_merchant_id), p_amount + p_fee, NULL);
  ELSE
    PERFORM book_transfer(p_transfer_id, p_mode, 'payout', NULL, payout_lines(result, merchant_account));
    PERFORM emit_event(result.mode, result.merchant_id, 'payout.completed', NULL, NULL, result.id);
  END IF;
  PERFORM require_active_currencies(p_sender_currency, p_receiver_currency);
END $$;
