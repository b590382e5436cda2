-- Returns what is wrong with a deposit or withdrawal, as the end of an error message; null if it is valid. It must have a reference and move one
-- amount between a merchant's or shopper's wallet and the outside (or the sandbox's issuing account), in the direction of its kind or, as a
-- correction, as the exact reverse of the corrected transfer. A live movement needs an approved request for the same movement, or a single
-- administrator's audit record with its amount. Conditions that table constraints also enforce are repeated for the ledger proof.
CREATE OR REPLACE FUNCTION funds_violation(t transfers) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  wallet accounts;
  moved bigint;
BEGIN
  IF t.external_reference IS NULL THEN
    RETURN 'has no reference';
  END IF;
  SELECT a.* INTO wallet FROM entries e JOIN accounts a ON a.id = e.account_id
    WHERE e.transfer_id = t.id AND a.kind IN ('merchant', 'shopper');
  SELECT amount INTO moved FROM entries WHERE transfer_id = t.id AND account_id = wallet.id;
  IF (SELECT count(*) FROM entries WHERE transfer_id = t.id) <> 2 OR moved IS NULL OR NOT EXISTS (
      SELECT FROM entries e JOIN accounts a ON a.id = e.account_id
      WHERE e.transfer_id = t.id AND e.amount = -moved AND (a.kind = 'funding' OR (a.kind = 'issuing' AND t.mode = 'sandbox'))) THEN
    RETURN 'does not move one amount between a wallet and the outside';
  END IF;
  IF t.corrects IS NULL AND (moved > 0) <> (t.kind = 'deposit') THEN
    RETURN 'moves money in the wrong direction';
  END IF;
  IF t.corrects IS NOT NULL AND lines_differ(t.id,
      ARRAY(SELECT (account_id, currency, -amount)::transfer_line FROM entries WHERE transfer_id = t.corrects)) THEN
    RETURN 'does not exactly reverse the transfer that it corrects';
  END IF;
  -- Only details that contain the transfer's ID are parsed.
  IF t.mode = 'live' AND NOT funds_are_approved(t, wallet, abs(moved)) AND NOT EXISTS (
      SELECT FROM audit_records WHERE subject = wallet.id::text AND action = 'wallet.' || t.kind
        AND CASE WHEN strpos(details, t.id::text) > 0 THEN
          (details::json ->> 'transfer_id', details::json ->> 'amount_minor') = (t.id::text, abs(moved)::text) END) THEN
    RETURN 'has no audit record of an administrator';
  END IF;
  RETURN NULL;
END $$;
