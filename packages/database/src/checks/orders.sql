-- Checks on orders. Ledger rule 6: completed and pending refunds together never exceed the order's amount.
ALTER TABLE orders
  ADD CONSTRAINT orders_amount CHECK (amount BETWEEN 1 AND 10000000000000),
  ADD CONSTRAINT orders_refunds_within_payment CHECK (refunded >= 0 AND refund_pending >= 0 AND refunded + refund_pending <= amount),
  ADD CONSTRAINT orders_state_is_derived CHECK (state = CASE
    WHEN status <> 'PAID' THEN status::text::order_state
    WHEN refunded = amount THEN 'REFUNDED'::order_state
    WHEN refund_pending > 0 THEN 'REFUND_PENDING'::order_state
    ELSE 'PAID'::order_state END),
  ADD CONSTRAINT orders_metadata CHECK (json_typeof(metadata::json) = 'object'),
  ADD CONSTRAINT orders_locale CHECK (char_length(locale) BETWEEN 1 AND 35),
  ADD CONSTRAINT orders_version CHECK (version >= 1),
  ADD CONSTRAINT orders_paid_completely CHECK (
    (status = 'PAID') = (paid_at IS NOT NULL AND trx_id IS NOT NULL AND transfer_id IS NOT NULL AND payer_account_id IS NOT NULL
                         AND payer_currency IS NOT NULL AND payer_amount IS NOT NULL)),
  ADD CONSTRAINT orders_unpaid_without_payment CHECK (
    status = 'PAID' OR (paid_at IS NULL AND trx_id IS NULL AND transfer_id IS NULL AND payer_account_id IS NULL
                        AND payer_currency IS NULL AND payer_amount IS NULL AND quote_id IS NULL AND refunded = 0 AND refund_pending = 0)),
  ADD CONSTRAINT orders_converted_by_quote CHECK (
    status <> 'PAID' OR (payer_amount > 0 AND (payer_currency <> currency) = (quote_id IS NOT NULL) AND (payer_currency <> currency OR payer_amount = amount)));
