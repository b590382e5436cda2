-- Rejects payouts from or into an inactive currency. Currencies are not locked, because all payouts would contend for the lock. Callers
-- therefore check them last. TG049: the sender currency is inactive; TG050: the receiver currency is inactive; TG080 as in reject_items.
CREATE OR REPLACE FUNCTION require_active_currencies(p_size int, p_payouts payouts[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  rejected text[];
  reject_code text;
BEGIN
  SELECT array_agg(p.id), min(CASE WHEN NOT sender.active THEN 'TG049' ELSE 'TG050' END) INTO rejected, reject_code
    FROM unnest(p_payouts) p JOIN currencies sender ON sender.code = p.sender_currency JOIN currencies receiver ON receiver.code = p.receiver_currency
    WHERE NOT (sender.active AND receiver.active);
  PERFORM reject_items(rejected, p_size, reject_code, 'a currency is inactive');
END $$;
