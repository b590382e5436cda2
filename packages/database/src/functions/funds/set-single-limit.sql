-- Sets the limit up to which a single administrator may move live funds in a currency, in minor units. Lowering it needs one administrator,
-- raising it two. Returns `set`, or `requested` with the request's ID. TG065: unknown currency; TG066: another increase is pending; TG063
-- as in chain_audit_record.
CREATE OR REPLACE FUNCTION set_single_limit(p_currency text, p_limit bigint, p_request_id uuid, p_administrator_id uuid, OUT outcome text, OUT id uuid)
LANGUAGE plpgsql AS $$
DECLARE
  before bigint := (SELECT single_administrator_limit FROM currencies WHERE code = p_currency FOR NO KEY UPDATE);
BEGIN
  IF before IS NULL THEN
    RAISE EXCEPTION 'currency % not found', p_currency USING ERRCODE = 'TG065';
  END IF;
  IF p_limit <= before THEN
    UPDATE currencies SET single_administrator_limit = p_limit WHERE code = p_currency;
    outcome := 'set';
  ELSE
    INSERT INTO approval_requests (id, kind, mode, currency, amount, requested_by_id)
      VALUES (p_request_id, 'single_limit', 'live', p_currency, p_limit, p_administrator_id)
      ON CONFLICT (currency) WHERE kind = 'single_limit' AND status = 'pending' DO NOTHING;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a limit increase for % is already pending', p_currency USING ERRCODE = 'TG066';
    END IF;
    outcome := 'requested';
    id := p_request_id;
  END IF;
  PERFORM record_change(NULL, p_administrator_id, CASE outcome WHEN 'set' THEN 'currency.single_limit' ELSE 'currency.single_limit.request' END,
    p_currency, json_build_object('before_minor', before::text, 'after_minor', p_limit::text, 'request_id', id));
END $$;
