-- A shopper may pay from a wallet in another currency than the order's. What left the wallet is kept beside what the order
-- asked for; a quote fixes rate and amount before.

CREATE TABLE "shopper_quotes" (
    "id" UUID NOT NULL,
    "mode" "mode" NOT NULL,
    "order_id" TEXT NOT NULL,
    "wallet_user_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "payer_currency" VARCHAR(10) NOT NULL,
    "payer_amount" BIGINT NOT NULL,
    "rate" DECIMAL(40,20) NOT NULL,
    "created_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "expires_at" TIMESTAMPTZ NOT NULL,
    "used_at" TIMESTAMPTZ,

    CONSTRAINT "shopper_quotes_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "shopper_quotes_order_id_wallet_user_id_created_at_idx" ON "shopper_quotes"("order_id", "wallet_user_id", "created_at" DESC);
CREATE INDEX "shopper_quotes_expires_at_idx" ON "shopper_quotes"("expires_at");
CREATE UNIQUE INDEX "shopper_quotes_id_mode_key" ON "shopper_quotes"("id", "mode");
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_order_id_mode_fkey" FOREIGN KEY ("order_id", "mode") REFERENCES "orders"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_wallet_user_id_mode_fkey" FOREIGN KEY ("wallet_user_id", "mode") REFERENCES "wallet_users"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "shopper_quotes" ADD CONSTRAINT "shopper_quotes_account_id_mode_payer_currency_fkey" FOREIGN KEY ("account_id", "mode", "payer_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE shopper_quotes ADD CONSTRAINT shopper_quotes_amounts CHECK (payer_amount BETWEEN 1 AND 10000000000000 AND rate > 0);

-- A quote is made for the owner of the wallet, and its amount is what its rate makes of the order's, rounded up: worth the
-- order's amount, and with one minor unit less it would not be. Afterwards it is used once and never changed.
CREATE FUNCTION guard_shopper_quote() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  asked numeric;
  unit_worth numeric;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.used_at IS NOT NULL OR (NEW.id, NEW.mode, NEW.order_id, NEW.wallet_user_id, NEW.account_id, NEW.payer_currency, NEW.payer_amount, NEW.rate, NEW.created_at)
       IS DISTINCT FROM (OLD.id, OLD.mode, OLD.order_id, OLD.wallet_user_id, OLD.account_id, OLD.payer_currency, OLD.payer_amount, OLD.rate, OLD.created_at) THEN
      RAISE EXCEPTION 'quote % is fixed', OLD.id USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  SELECT o.amount * power(10::numeric, payers.digits), NEW.rate * power(10::numeric, own.digits) INTO STRICT asked, unit_worth
    FROM orders o JOIN currencies own ON own.code = o.currency JOIN currencies payers ON payers.code = NEW.payer_currency
    WHERE o.id = NEW.order_id AND o.currency <> NEW.payer_currency;
  IF NEW.used_at IS NOT NULL OR NEW.payer_amount * unit_worth < asked OR (NEW.payer_amount - 1) * unit_worth >= asked
     OR NOT EXISTS (SELECT FROM accounts WHERE id = NEW.account_id AND wallet_user_id = NEW.wallet_user_id AND kind = 'shopper') THEN
    RAISE EXCEPTION 'quote % is not what its rate makes of order %', NEW.id, NEW.order_id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER shopper_quotes_are_guarded BEFORE INSERT OR UPDATE ON shopper_quotes FOR EACH ROW EXECUTE FUNCTION guard_shopper_quote();

ALTER TABLE "orders" ADD COLUMN "payer_amount" BIGINT, ADD COLUMN "payer_currency" VARCHAR(10), ADD COLUMN "quote_id" UUID;
ALTER TABLE "refunds" ADD COLUMN "payer_amount" BIGINT;

-- What was paid and refunded before was paid and refunded in the order's own currency.
UPDATE orders SET payer_amount = amount, payer_currency = currency WHERE status = 'PAID';
ALTER TABLE refunds DISABLE TRIGGER refunds_are_reported;
UPDATE refunds SET payer_amount = amount WHERE status = 'completed';
ALTER TABLE refunds ENABLE TRIGGER refunds_are_reported;

CREATE UNIQUE INDEX "orders_quote_id_mode_key" ON "orders"("quote_id", "mode");
ALTER TABLE "orders" ADD CONSTRAINT "orders_quote_id_mode_fkey" FOREIGN KEY ("quote_id", "mode") REFERENCES "shopper_quotes"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

-- The payer's wallet is one of the currency that was paid, and of the order's mode.
ALTER TABLE "orders" DROP CONSTRAINT "orders_payer_account_id_mode_currency_fkey";
ALTER TABLE "orders" ADD CONSTRAINT "orders_payer_account_id_mode_payer_currency_fkey" FOREIGN KEY ("payer_account_id", "mode", "payer_currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE orders
  DROP CONSTRAINT orders_paid_completely,
  DROP CONSTRAINT orders_unpaid_without_payment,
  ADD CONSTRAINT orders_paid_completely CHECK (
    (status = 'PAID') = (paid_at IS NOT NULL AND trx_id IS NOT NULL AND transfer_id IS NOT NULL AND payer_account_id IS NOT NULL
                         AND payer_currency IS NOT NULL AND payer_amount IS NOT NULL)),
  ADD CONSTRAINT orders_unpaid_without_payment CHECK (
    status = 'PAID' OR (paid_at IS NULL AND trx_id IS NULL AND transfer_id IS NULL AND payer_account_id IS NULL
                        AND payer_currency IS NULL AND payer_amount IS NULL AND quote_id IS NULL AND refunded = 0 AND refund_pending = 0)),
  ADD CONSTRAINT orders_converted_by_quote CHECK (
    status <> 'PAID' OR (payer_amount > 0 AND (payer_currency <> currency) = (quote_id IS NOT NULL) AND (payer_currency <> currency OR payer_amount = amount)));

ALTER TABLE refunds ADD CONSTRAINT refunds_completed_gave_back CHECK ((status = 'completed') = (payer_amount IS NOT NULL) AND payer_amount >= 0);

-- What was paid stays as it was paid, in both currencies.
CREATE OR REPLACE FUNCTION guard_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status <> 'PENDING' OR NEW.version <> 1 THEN
      RAISE EXCEPTION 'an order starts pending' USING ERRCODE = 'TG094';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD.status <> 'PENDING' AND NEW.status <> OLD.status THEN
    RAISE EXCEPTION 'order % is already %', OLD.id, OLD.status USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.credential_id, NEW.amount, NEW.currency, NEW.token, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.credential_id, OLD.amount, OLD.currency, OLD.token, OLD.created_at)
     OR (OLD.status = 'PAID' AND (NEW.paid_at, NEW.trx_id, NEW.transfer_id, NEW.payer_account_id, NEW.payer_currency, NEW.payer_amount, NEW.quote_id)
     IS DISTINCT FROM (OLD.paid_at, OLD.trx_id, OLD.transfer_id, OLD.payer_account_id, OLD.payer_currency, OLD.payer_amount, OLD.quote_id)) THEN
    RAISE EXCEPTION 'order % keeps its amount and its payment', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF (NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.refunded, OLD.refund_pending) AND pg_trigger_depth() = 1 THEN
    RAISE EXCEPTION 'the refund sums of order % move only with its refunds', OLD.id USING ERRCODE = 'TG094';
  END IF;
  IF NEW.version <= OLD.version AND (NEW.state, NEW.refunded, NEW.refund_pending) IS DISTINCT FROM (OLD.state, OLD.refunded, OLD.refund_pending) THEN
    RAISE EXCEPTION 'a change of order % must raise its version', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION guard_refund() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'pending' AND (NEW.status, NEW.transfer_id, NEW.settled_at, NEW.payer_amount)
     IS DISTINCT FROM (OLD.status, OLD.transfer_id, OLD.settled_at, OLD.payer_amount) THEN
    RAISE EXCEPTION 'refund % is already %', OLD.id, OLD.status USING ERRCODE = 'TG095';
  END IF;
  IF (NEW.id, NEW.mode, NEW.merchant_id, NEW.order_id, NEW.amount, NEW.currency, NEW.created_at)
     IS DISTINCT FROM (OLD.id, OLD.mode, OLD.merchant_id, OLD.order_id, OLD.amount, OLD.currency, OLD.created_at) THEN
    RAISE EXCEPTION 'refund % keeps its order and its amount', OLD.id USING ERRCODE = 'TG095';
  END IF;
  RETURN NEW;
END $$;
