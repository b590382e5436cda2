-- Nothing is paid out from or into a deactivated currency. A currency's row is read, not locked, because the payouts of all
-- merchants would meet there. So it is checked last, when no more waiting is needed. TG049: the sender currency is
-- inactive; TG050: the receiver currency is; TG080 as reject_items.
CREATE OR REPLACE FUNCTION require_active_currencies(p_size int, p_payouts payouts[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  rejected text[];
  refusal text;
BEGIN
  SELECT array_agg(p.id), min(CASE WHEN NOT sender.active THEN 'TG049' ELSE 'TG050' END) INTO rejected, refusal
    FROM unnest(p_payouts) p JOIN currencies sender ON sender.code = p.sender_currency JOIN currencies receiver ON receiver.code = p.receiver_currency
    WHERE NOT (sender.active AND receiver.active);
  PERFORM reject_items(rejected, p_size, refusal, 'a currency is inactive');
END $$;
