-- Checks on accounts. Wallets (merchant, shopper, hold) have an owner and a stored balance that never goes below zero.
-- House accounts (fees, fx, issuing, funding) have no owner and no stored balance. Their balance is the sum of their entries.
ALTER TABLE accounts
  ADD CONSTRAINT accounts_owner_by_kind CHECK (
    CASE kind
      WHEN 'merchant' THEN merchant_id IS NOT NULL AND wallet_user_id IS NULL
      WHEN 'hold' THEN merchant_id IS NOT NULL AND wallet_user_id IS NULL
      WHEN 'shopper' THEN merchant_id IS NULL AND wallet_user_id IS NOT NULL
      ELSE merchant_id IS NULL AND wallet_user_id IS NULL
    END),
  ADD CONSTRAINT accounts_balance_by_kind CHECK ((kind IN ('merchant', 'shopper', 'hold')) = (balance IS NOT NULL)),
  ADD CONSTRAINT accounts_never_below_zero CHECK (balance >= 0),
  ADD CONSTRAINT accounts_issuing_is_sandbox CHECK (kind <> 'issuing' OR mode = 'sandbox'),
  ADD CONSTRAINT accounts_closed_empty CHECK (closed_at IS NULL OR balance = 0);
