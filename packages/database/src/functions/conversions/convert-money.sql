-- Books a shopper's conversion as quoted. A repeat returns the ID of the earlier transfer. TG051: the shopper has no conversion with this ID;
-- TG052: expired; TG053 as in require_active_shopper and require_active_currency; TG020, TG022 as in book_transfers.
CREATE OR REPLACE FUNCTION convert_money(p_conversion_id uuid, p_wallet_user_id uuid, p_transfer_id uuid) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  c conversions;
BEGIN
  PERFORM begin_write(1);
  SELECT * INTO c FROM conversions WHERE id = p_conversion_id AND wallet_user_id = p_wallet_user_id FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'conversion % not found', p_conversion_id USING ERRCODE = 'TG051';
  END IF;
  IF c.used_at IS NOT NULL THEN
    RETURN c.transfer_id;
  END IF;
  IF c.expires_at <= clock_timestamp() THEN
    RAISE EXCEPTION 'conversion % has expired', c.id USING ERRCODE = 'TG052';
  END IF;
  PERFORM require_active_shopper(c.wallet_user_id, c.mode);
  PERFORM require_active_currency(c.from_currency);
  PERFORM require_active_currency(c.to_currency);
  PERFORM open_shopper_wallet(c.wallet_user_id, c.mode, c.to_currency);
  PERFORM book_transfer(p_transfer_id, c.mode, 'conversion', NULL, conversion_lines(c));
  UPDATE conversions SET used_at = least(clock_timestamp(), expires_at), transfer_id = p_transfer_id WHERE id = c.id;
  RETURN p_transfer_id;
END $$;
