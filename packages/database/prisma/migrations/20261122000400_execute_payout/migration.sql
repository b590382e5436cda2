-- The lines that pay a recipient out of an account that holds amount and fee: the recipient gets the amount, over the
-- conversion position where currencies differ, and the house its fee.
CREATE FUNCTION payout_lines(p payouts, p_from uuid) RETURNS transfer_line[] LANGUAGE plpgsql STABLE AS $$
DECLARE
  lines transfer_line[] := ARRAY[(p_from, p.sender_currency, -(p.amount + p.fee))::transfer_line];
BEGIN
  IF p.fee > 0 THEN
    lines := lines || (account_of(p.mode, p.sender_currency, 'fees'), p.sender_currency, p.fee)::transfer_line;
  END IF;
  IF p.sender_currency = p.receiver_currency THEN
    RETURN lines || (p.recipient_account_id, p.receiver_currency, p.receiver_amount)::transfer_line;
  END IF;
  RETURN lines
    || (account_of(p.mode, p.sender_currency, 'fx'), p.sender_currency, p.amount)::transfer_line
    || (account_of(p.mode, p.receiver_currency, 'fx'), p.receiver_currency, -p.receiver_amount)::transfer_line
    || (p.recipient_account_id, p.receiver_currency, p.receiver_amount)::transfer_line;
END $$;

-- Takes an amount out of a day's or month's limit, or refuses it with the given code.
CREATE FUNCTION take_usage(p payouts, p_period usage_period, p_limit bigint, p_refusal text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  period_start date := date_trunc(p_period::text, p.created_at AT TIME ZONE 'UTC')::date;
BEGIN
  INSERT INTO payout_usage (merchant_id, mode, currency, period, starts_on)
    VALUES (p.merchant_id, p.mode, p.sender_currency, p_period, period_start) ON CONFLICT DO NOTHING;
  UPDATE payout_usage SET amount = amount + p.amount
    WHERE merchant_id = p.merchant_id AND mode = p.mode AND currency = p.sender_currency AND period = p_period AND starts_on = period_start
      AND (p_limit IS NULL OR amount + p.amount <= p_limit);
  IF NOT FOUND THEN
    RAISE EXCEPTION 'payout limit of the % reached', p_period USING ERRCODE = p_refusal;
  END IF;
END $$;

-- Gives an amount back to the day's or month's limit that it was taken from: the day first, as it was taken, so that
-- nobody waits in a circle.
CREATE FUNCTION give_back_usage(p payouts, p_period usage_period) RETURNS void LANGUAGE sql AS $$
  UPDATE payout_usage SET amount = amount - p.amount
    WHERE merchant_id = p.merchant_id AND mode = p.mode AND currency = p.sender_currency AND period = p_period
      AND starts_on = date_trunc(p_period::text, p.created_at AT TIME ZONE 'UTC')::date
$$;

-- Executes a payout, or holds its money until an administrator decides (p_needs_approval). The caller has decided rate,
-- fee, recipient and limits; re-checked here is what can race: idempotency key, reference, quote, limits, balance.
-- Answers the payout and whether it was a repeat of the same idempotency key; the partner API's repeats always answer the
-- original, so the fields of a repeat are not compared.
-- TG040: the quote is used, expired or foreign; TG041: another payout has this reference; TG042, TG043: limit of the day,
-- of the month; TG045: the recipient is deactivated; TG020, TG022 as book_transfer.
CREATE FUNCTION execute_payout(
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
