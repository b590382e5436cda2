/** An active administrator of the seed, in SQL. */
export const ADMINISTRATOR =
  "(SELECT id FROM console_users WHERE role = 'administrator' AND disabled_at IS NULL ORDER BY created_at LIMIT 1)";

/**
 * The statement that sets exchange rates as an administrator does, with an audit record each.
 * @param rates selects mode, base, quote, rate, spread_percent and effective_from.
 */
export const setRates = (rates: string): string =>
  `WITH made AS (
     INSERT INTO exchange_rates (id, mode, base, quote, rate, spread_percent, effective_from)
     SELECT gen_random_uuid(), rates.* FROM (${rates}) AS rates RETURNING *)
   SELECT record_change(NULL, ${ADMINISTRATOR}, 'rate.set', base || '/' || quote, json_build_object(
     'mode', mode, 'rate', rate::text, 'spread_percent', spread_percent::text, 'effective_from', effective_from)) FROM made`;
