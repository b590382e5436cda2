/** Whether a session `ws` of the shopper `u` lasts, by the clock `now.read_at`. */
export const SESSION_LASTS = "ws.revoked_at IS NULL AND ws.expires_at > now.read_at AND u.active";

/**
 * The session of a token, with its shopper; also one that is over, because forms are bound to it. It needs `now.read_at`.
 * @param hash the placeholder of the token's hash.
 * @param rotateAfter the placeholder of the seconds after which a session's token changes.
 * @param columns what else is read of `ws` and `u`.
 */
export const sessionSql = (hash: string, rotateAfter: string, columns: readonly string[]): string => `
    SELECT ws.id, ws.wallet_user_id AS user_id, u.name AS user_name, u.pin_reset_at, ws.device_id,
      EXISTS (
        SELECT FROM pin_failures f
        WHERE f.key IN (pin_counter_key('identifier', u.mode || ' ' || u.phone), pin_counter_key('identifier', u.mode || ' ' || u.email))
          AND f.locked_until > '-infinity' AND f.stale_at > now.read_at
      ) AS wrong_pins_elsewhere,
      ws.rotated_at <= now.read_at - make_interval(secs => ${rotateAfter}) AS rotation_due,
      ${columns.join(", ")}
    FROM wallet_sessions ws JOIN wallet_users u ON u.id = ws.wallet_user_id
    WHERE ws.token_hash = ${hash} OR (ws.previous_token_hash = ${hash} AND ws.previous_valid_until > now.read_at)`;
