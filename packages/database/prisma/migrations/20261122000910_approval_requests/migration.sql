-- Deposits and withdrawals: money that comes from or goes outside, against the funding account (or, for sandbox deposits,
-- the issuing account), booked once per external reference and mode. Live amounts above the currency's limit, and raising
-- that limit, need two administrators.

-- Modes never mix: what one of them names does not block the other.
DROP INDEX "transfers_external_reference_key";
CREATE UNIQUE INDEX "transfers_mode_external_reference_key" ON "transfers"("mode", "external_reference");

-- Zero at first: every live movement needs two administrators until they have agreed otherwise.
ALTER TABLE "currencies" ADD COLUMN "single_administrator_limit" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE currencies ADD CONSTRAINT currencies_single_limit CHECK (single_administrator_limit >= 0);

CREATE TYPE "approval_kind" AS ENUM ('deposit', 'withdrawal', 'single_limit');
CREATE TYPE "approval_status" AS ENUM ('pending', 'approved', 'rejected');

CREATE TABLE "approval_requests" (
    "id" UUID NOT NULL,
    "kind" "approval_kind" NOT NULL,
    "mode" "mode" NOT NULL,
    "account_id" UUID,
    "currency" VARCHAR(10) NOT NULL,
    "amount" BIGINT NOT NULL,
    "external_reference" TEXT,
    "status" "approval_status" NOT NULL DEFAULT 'pending',
    "requested_by_id" UUID NOT NULL,
    "requested_at" TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp(),
    "decided_by_id" UUID,
    "decided_at" TIMESTAMPTZ,
    "transfer_id" UUID,

    CONSTRAINT "approval_requests_pkey" PRIMARY KEY ("id")
);

ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_account_id_mode_currency_fkey" FOREIGN KEY ("account_id", "mode", "currency") REFERENCES "accounts"("id", "mode", "currency") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_currency_fkey" FOREIGN KEY ("currency") REFERENCES "currencies"("code") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_requested_by_id_fkey" FOREIGN KEY ("requested_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_decided_by_id_fkey" FOREIGN KEY ("decided_by_id") REFERENCES "console_users"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "approval_requests" ADD CONSTRAINT "approval_requests_transfer_id_mode_fkey" FOREIGN KEY ("transfer_id", "mode") REFERENCES "transfers"("id", "mode") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE approval_requests
  ADD CONSTRAINT approval_requests_kind CHECK (
    CASE kind WHEN 'single_limit' THEN account_id IS NULL AND external_reference IS NULL AND transfer_id IS NULL AND amount >= 0
      ELSE account_id IS NOT NULL AND external_reference IS NOT NULL AND amount > 0 END),
  ADD CONSTRAINT approval_requests_decided CHECK (
    (status = 'pending') = (decided_by_id IS NULL) AND (status = 'pending') = (decided_at IS NULL)),
  ADD CONSTRAINT approval_requests_two_administrators CHECK (status <> 'approved' OR decided_by_id <> requested_by_id),
  ADD CONSTRAINT approval_requests_moved_money CHECK ((transfer_id IS NOT NULL) = (status = 'approved' AND kind <> 'single_limit'));

-- What was rejected may be asked for again.
CREATE UNIQUE INDEX approval_requests_one_per_reference ON approval_requests (mode, external_reference) WHERE status <> 'rejected';
CREATE UNIQUE INDEX approval_requests_one_limit ON approval_requests (currency) WHERE kind = 'single_limit' AND status = 'pending';
CREATE UNIQUE INDEX approval_requests_one_per_transfer ON approval_requests (transfer_id) WHERE transfer_id IS NOT NULL;
CREATE INDEX approval_requests_pending ON approval_requests (requested_at) WHERE status = 'pending';

CREATE FUNCTION guard_approval_request() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'pending' OR (NEW.id, NEW.kind, NEW.mode, NEW.account_id, NEW.currency, NEW.amount, NEW.external_reference, NEW.requested_by_id, NEW.requested_at)
     IS DISTINCT FROM (OLD.id, OLD.kind, OLD.mode, OLD.account_id, OLD.currency, OLD.amount, OLD.external_reference, OLD.requested_by_id, OLD.requested_at) THEN
    RAISE EXCEPTION 'request % is fixed', OLD.id USING ERRCODE = 'TG094';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER approval_requests_are_guarded BEFORE UPDATE ON approval_requests FOR EACH ROW EXECUTE FUNCTION guard_approval_request();
CREATE TRIGGER approval_requests_are_kept BEFORE DELETE OR TRUNCATE ON approval_requests FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Books a deposit (house −A, wallet +A) or a withdrawal (house +A, wallet −A). TG020, TG022 as book_transfer.
CREATE FUNCTION book_funds(p_transfer_id uuid, p_kind transfer_kind, p_wallet accounts, p_house account_kind, p_amount bigint, p_external_reference text)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  into_wallet bigint := CASE p_kind WHEN 'deposit' THEN p_amount ELSE -p_amount END;
BEGIN
  PERFORM book_transfer(p_transfer_id, p_wallet.mode, p_kind, p_external_reference, ARRAY[
    (account_of(p_wallet.mode, p_wallet.currency, p_house), p_wallet.currency, -into_wallet)::transfer_line,
    (p_wallet.id, p_wallet.currency, into_wallet)::transfer_line]);
END $$;

-- The merchant in whose chain a wallet's changes are recorded; none for a wallet user's.
CREATE FUNCTION record_funds(p_action text, p_wallet accounts, p_amount bigint, p_external_reference text, p_request_id uuid, p_transfer_id uuid, p_administrator_id uuid)
RETURNS void LANGUAGE sql AS $$
  SELECT record_change(p_wallet.merchant_id, p_administrator_id, p_action, p_wallet.id::text, json_build_object(
    'mode', p_wallet.mode, 'currency', p_wallet.currency, 'amount_minor', p_amount::text, 'external_reference', p_external_reference,
    'wallet_user_id', p_wallet.wallet_user_id, 'request_id', p_request_id, 'transfer_id', p_transfer_id))
$$;

-- Moves money between a wallet and the outside, or asks for a second administrator. Answers `booked` or `repeated` with
-- the transfer, `requested` or `waiting` with the request; however often a reference comes, it is booked once.
-- TG060: the reference names another movement; TG064: no such wallet; TG020, TG022 as book_transfer; TG063 as the audit chain.
CREATE FUNCTION move_funds(
  p_kind transfer_kind, p_account_id uuid, p_house account_kind, p_amount bigint, p_external_reference text,
  p_transfer_id uuid, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  wallet accounts;
  earlier transfers;
  request approval_requests;
BEGIN
  IF p_kind NOT IN ('deposit', 'withdrawal') OR p_house NOT IN ('funding', 'issuing') OR p_amount <= 0 THEN
    RAISE EXCEPTION 'not a deposit or withdrawal of a positive amount' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  SELECT * INTO wallet FROM accounts a WHERE a.id = p_account_id AND a.kind IN ('merchant', 'shopper');
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no wallet %', p_account_id USING ERRCODE = 'TG064';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('funds ' || wallet.mode || ' ' || p_external_reference, 0));
  SELECT * INTO earlier FROM transfers t WHERE t.mode = wallet.mode AND t.external_reference = p_external_reference;
  IF FOUND THEN
    PERFORM FROM entries e JOIN entries counter ON counter.transfer_id = e.transfer_id
        JOIN accounts house ON house.id = counter.account_id AND house.kind = p_house
      WHERE e.transfer_id = earlier.id AND e.account_id = wallet.id AND earlier.kind = p_kind
        AND e.amount = CASE p_kind WHEN 'deposit' THEN p_amount ELSE -p_amount END;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'reference % names transfer %', p_external_reference, earlier.id USING ERRCODE = 'TG060';
    END IF;
    outcome := 'repeated';
    id := earlier.id;
    RETURN;
  END IF;
  SELECT * INTO request FROM approval_requests r
    WHERE r.mode = wallet.mode AND r.external_reference = p_external_reference AND r.status = 'pending';
  IF FOUND THEN
    IF (request.kind::text, request.account_id, request.amount) IS DISTINCT FROM (p_kind::text, wallet.id, p_amount) THEN
      RAISE EXCEPTION 'reference % names request %', p_external_reference, request.id USING ERRCODE = 'TG060';
    END IF;
    outcome := 'waiting';
    id := request.id;
    RETURN;
  END IF;
  IF wallet.mode = 'live' AND p_amount > (SELECT single_administrator_limit FROM currencies WHERE code = wallet.currency FOR SHARE) THEN
    IF wallet.closed_at IS NOT NULL THEN
      RAISE EXCEPTION 'wallet % is closed', wallet.id USING ERRCODE = 'TG022';
    END IF;
    INSERT INTO approval_requests (id, kind, mode, account_id, currency, amount, external_reference, requested_by_id)
      VALUES (p_request_id, p_kind::text::approval_kind, wallet.mode, wallet.id, wallet.currency, p_amount, p_external_reference, p_administrator_id);
    PERFORM record_funds('wallet.' || p_kind || '.request', wallet, p_amount, p_external_reference, p_request_id, NULL, p_administrator_id);
    outcome := 'requested';
    id := p_request_id;
    RETURN;
  END IF;
  PERFORM book_funds(p_transfer_id, p_kind, wallet, p_house, p_amount, p_external_reference);
  PERFORM record_funds('wallet.' || p_kind, wallet, p_amount, p_external_reference, NULL, p_transfer_id, p_administrator_id);
  outcome := 'booked';
  id := p_transfer_id;
END $$;

-- Sets up to where one administrator alone moves live funds of a currency (minor units). Lowering it needs one
-- administrator, raising it two. Answers `set`, or `requested` with the request.
-- TG065: no such currency; TG066: another raise of it waits.
CREATE FUNCTION set_single_limit(p_currency text, p_limit bigint, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  before bigint := (SELECT single_administrator_limit FROM currencies WHERE code = p_currency FOR NO KEY UPDATE);
BEGIN
  IF before IS NULL THEN
    RAISE EXCEPTION 'no currency %', p_currency USING ERRCODE = 'TG065';
  END IF;
  IF p_limit <= before THEN
    UPDATE currencies SET single_administrator_limit = p_limit WHERE code = p_currency;
    outcome := 'set';
  ELSE
    INSERT INTO approval_requests (id, kind, mode, currency, amount, requested_by_id)
      VALUES (p_request_id, 'single_limit', 'live', p_currency, p_limit, p_administrator_id)
      ON CONFLICT (currency) WHERE kind = 'single_limit' AND status = 'pending' DO NOTHING;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a raise of % waits', p_currency USING ERRCODE = 'TG066';
    END IF;
    outcome := 'requested';
    id := p_request_id;
  END IF;
  PERFORM record_change(NULL, p_administrator_id, CASE outcome WHEN 'set' THEN 'currency.single_limit' ELSE 'currency.single_limit.request' END,
    p_currency, json_build_object('before_minor', before::text, 'after_minor', p_limit::text, 'request_id', id));
END $$;

-- A second administrator decides on a request. Whoever asked may only take it back. The loser of two deciders gets TG044.
-- TG061: no such request; TG062: approved by who asked; TG020, TG022 as book_transfer.
CREATE FUNCTION decide_request(p_request_id uuid, p_approve boolean, p_transfer_id uuid, p_administrator_id uuid)
RETURNS approval_requests LANGUAGE plpgsql AS $$
DECLARE
  r approval_requests;
  wallet accounts;
  booked uuid := CASE WHEN p_approve THEN p_transfer_id END;
  verb text := CASE WHEN p_approve THEN '.approve' ELSE '.reject' END;
BEGIN
  SELECT * INTO r FROM approval_requests WHERE id = p_request_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no request %', p_request_id USING ERRCODE = 'TG061';
  END IF;
  IF r.status <> 'pending' THEN
    RAISE EXCEPTION 'request % is %', p_request_id, r.status USING ERRCODE = 'TG044';
  END IF;
  IF p_approve AND r.requested_by_id = p_administrator_id THEN
    RAISE EXCEPTION 'request % needs another administrator', p_request_id USING ERRCODE = 'TG062';
  END IF;
  IF r.kind = 'single_limit' THEN
    booked := NULL;
    IF p_approve THEN
      UPDATE currencies SET single_administrator_limit = r.amount WHERE code = r.currency;
    END IF;
  ELSE
    SELECT * INTO STRICT wallet FROM accounts WHERE id = r.account_id;
    IF p_approve THEN
      PERFORM book_funds(p_transfer_id, r.kind::text::transfer_kind, wallet, 'funding', r.amount, r.external_reference);
    END IF;
  END IF;
  UPDATE approval_requests SET status = CASE WHEN p_approve THEN 'approved'::approval_status ELSE 'rejected' END,
      decided_by_id = p_administrator_id, decided_at = clock_timestamp(), transfer_id = booked
    WHERE id = r.id RETURNING * INTO r;
  IF r.kind = 'single_limit' THEN
    PERFORM record_change(NULL, p_administrator_id, 'currency.single_limit' || verb, r.currency,
      json_build_object('after_minor', r.amount::text, 'request_id', r.id));
  ELSE
    PERFORM record_funds('wallet.' || r.kind || verb, wallet, r.amount, r.external_reference, r.id, booked, p_administrator_id);
  END IF;
  RETURN r;
END $$;
