-- Executes a payout, or holds its money until an administrator decides (p_needs_approval). The caller has decided rate,
-- fee, recipient and limits; re-checked here is what can race: idempotency key, reference, quote, limits, balance.
-- Answers the payout and whether it was a repeat of the same idempotency key; the partner API's repeats always answer the
-- original, so the fields of a repeat are not compared.
-- TG040: the quote is used, expired or foreign; TG041: another payout has this reference; TG042, TG043: limit of the day,
-- of the month; TG045: the recipient is deactivated; TG020, TG022 as book_transfer.
CREATE OR REPLACE FUNCTION execute_payout(
  p_payout_id text, p_merchant_id uuid, p_mode mode, p_idempotency_key text, p_reference text, p_quote_id uuid, p_wallet_user_id uuid,
  p_recipient_account_id uuid, p_amount bigint, p_sender_currency text, p_fee bigint, p_rate numeric, p_receiver_amount bigint, p_receiver_currency text,
  p_description text, p_trx_id text, p_transfer_id uuid, p_needs_approval boolean, OUT replayed boolean, OUT result payouts)
LANGUAGE plpgsql AS $$
DECLARE
  earlier_id text := claim_idempotency_key(p_merchant_id, p_mode, 'execute_payout', p_idempotency_key, ''::bytea, p_payout_id);
  merchant_account uuid;
  terms payout_terms;
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
  result.created_at := clock_timestamp();
  IF p_needs_approval THEN
    result.status := 'pending';
    result.hold_transfer_id := p_transfer_id;
  ELSE
    result.status := 'completed';
    result.transfer_id := p_transfer_id;
    result.trx_id := p_trx_id;
    result.processed_at := result.created_at;
  END IF;
  -- The row comes first: two payouts with one new reference at the same instant meet here, before anything else can refuse
  -- the second. Its transfer follows in this transaction (the foreign keys wait for the commit).
  INSERT INTO payouts SELECT (result).* ON CONFLICT (merchant_id, mode, reference) DO NOTHING;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'reference is taken' USING ERRCODE = 'TG041';
  END IF;
  IF p_quote_id IS NOT NULL THEN
    UPDATE quotes SET used_at = clock_timestamp()
      WHERE id = p_quote_id AND merchant_id = p_merchant_id AND mode = p_mode AND used_at IS NULL AND expires_at > clock_timestamp();
    IF NOT FOUND THEN
      RAISE EXCEPTION 'quote % cannot be used', p_quote_id USING ERRCODE = 'TG040';
    END IF;
  END IF;
  PERFORM FROM wallet_users WHERE id = p_wallet_user_id AND mode = p_mode AND active FOR KEY SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'recipient is deactivated' USING ERRCODE = 'TG045';
  END IF;
  SELECT * INTO terms FROM payout_terms WHERE merchant_id = p_merchant_id AND mode = p_mode AND currency = p_sender_currency;
  PERFORM take_usage(result, 'day', terms.daily, 'TG042');
  PERFORM take_usage(result, 'month', terms.monthly, 'TG043');
  merchant_account := account_of(p_mode, p_sender_currency, 'merchant', p_merchant_id);
  IF p_needs_approval THEN
    PERFORM move_between_wallets(p_transfer_id, p_mode, 'hold', p_sender_currency, merchant_account,
      account_of(p_mode, p_sender_currency, 'hold', p_merchant_id), p_amount + p_fee, NULL);
  ELSE
    PERFORM book_transfer(p_transfer_id, p_mode, 'payout', NULL, payout_lines(result, merchant_account));
    PERFORM emit_payout_event(result, 'payout.completed');
  END IF;
END $$;
