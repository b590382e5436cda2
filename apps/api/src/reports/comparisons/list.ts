import { DIFFERENCE_KINDS, DIFFERENCE_REPAIRS, ErrorCode, isStorable } from "@tillgate/contract";
import { queryRows } from "@tillgate/service";
import { z } from "zod";
import type { Context } from "../../context.js";
import { OperationError } from "../../errors.js";
import type { MerchantScope } from "../../identity/credentials/authenticate.js";
import { nameSites } from "../../identity/credentials/list.js";
import { invalidCursor } from "../../pagination/keyset-page.js";

/** Prefix of the `site` stored for a shop whose calls name no site. Because of the space, it is not a valid site. */
export const KEY_PREFIX = "key ";

export const SHOP_ID = "md5(s.site)";
export const SHOP_TITLE = `regexp_replace(split_part(s.site, '; id=', 1), '^${KEY_PREFIX}', '')`;

/** Shops `s` whose key still works. The successor of a rotated key counts too, even if the shop has not used it yet. */
export const KEY_WORKS = `
  EXISTS (
    SELECT FROM credentials c WHERE c.merchant_id = s.merchant_id AND c.mode = s.mode AND s.credential_id IN (c.id, c.replaces_id)
      AND c.revoked_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > now()))`;

/** Shops `s` that completed no comparison for two days, although their key still works. */
export const OVERDUE = `
  coalesce(s.completed_at, s.created_at) < now() - interval '2 days' AND ${KEY_WORKS}`;

const shopSchema = z.object({
  id: z.string(),
  site: z.string(),
  /** Name or client ID of the key that the shop last used. */
  key: z.string(),
  startedAt: z.date(),
  /** End of the last completed run. */
  completedAt: z.date().nullable(),
  running: z.boolean(),
  compared: z.int(),
  skipped: z.int(),
  overdue: z.boolean(),
  differences: z.int(),
});
type ShopRow = z.output<typeof shopSchema>;
/** `name` is the site's address, with the start of its ID if two listed shops share it. `site` and `name` are null if the calls name no site. */
export type ComparedShop = Omit<ShopRow, "site"> & { site: string | null; name: string | null };

const SHOPS = `
  SELECT ${SHOP_ID} AS id, s.site, coalesce(key.name, key.client_id) AS key, s.started_at AS "startedAt", s.completed_at AS "completedAt",
    coalesce(s.completed_at < s.started_at, true) AS running, s.compared, s.skipped, ${OVERDUE} AS overdue,
    (SELECT count(*)::int FROM shop_differences d WHERE d.merchant_id = s.merchant_id AND d.mode = s.mode AND d.site = s.site) AS differences
  FROM shop_comparisons s JOIN credentials key ON key.id = s.credential_id
  WHERE s.merchant_id = $1 AND s.mode = $2`;

const toNamedShops = (rows: readonly ShopRow[]): ComparedShop[] => {
  const names = nameSites(rows.map(({ site }) => site));
  return rows.map(({ site, ...shop }) =>
    site.startsWith(KEY_PREFIX)
      ? { ...shop, site: null, name: null }
      : { ...shop, site, name: names.get(site) ?? site },
  );
};

export async function listShops(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
): Promise<ComparedShop[]> {
  return toNamedShops(await queryRows(pool, shopSchema, `${SHOPS} ORDER BY s.site`, [merchantId, mode]));
}

const part = z.string().refine(isStorable);
const positionSchema = z.tuple([part, part, part, part]);
type Position = z.output<typeof positionSchema>;

const differenceSchema = z.object({
  orderId: z.string(),
  /** Whether the order exists. */
  known: z.boolean(),
  orderNumber: z.string(),
  orderUrl: z.string().nullable(),
  subject: z.string(),
  subjectId: z.string(),
  field: z.string(),
  kind: z.enum(DIFFERENCE_KINDS),
  repair: z.enum(DIFFERENCE_REPAIRS).nullable(),
  values: z.record(z.string(), z.string()),
  foundAt: z.date(),
});
export type ShopDifference = z.output<typeof differenceSchema>;

const KEY = "order_id, subject, subject_id, field";
const KEY_DESCENDING = "order_id DESC, subject DESC, subject_id DESC, field DESC";

/** Returns SQL for a page of differences. The subquery with LIMIT forces an index lookup per order; EXISTS would scan all orders. */
const differencesSql = (isFirstPage: boolean): string => `
  SELECT order_id AS "orderId", order_number AS "orderNumber", order_url AS "orderUrl", subject, subject_id AS "subjectId", field, kind, repair,
    text_values AS values, found_at AS "foundAt",
    coalesce((SELECT true FROM orders o WHERE o.id = order_id AND o.merchant_id = $1 AND o.mode = $2 LIMIT 1), false) AS known
  FROM shop_differences s WHERE s.merchant_id = $1 AND s.mode = $2 AND s.site = $3 ${isFirstPage ? "" : `AND (${KEY}) < ($5, $6, $7, $8)`}
  ORDER BY ${KEY_DESCENDING} LIMIT $4`;

/** @param query.before the `next` of the previous page. @throws OperationError ShopNotFound; InvalidFields for an invalid cursor. */
export async function readShop(
  { database: { pool } }: Context,
  { merchantId, mode }: MerchantScope,
  { shop: id, before, per_page: size }: { shop: string; before?: string | undefined; per_page: number },
): Promise<{ shop: ComparedShop; differences: ShopDifference[]; next: string | null }> {
  const found = await queryRows(pool, shopSchema, `${SHOPS} AND ${SHOP_ID} = $3`, [merchantId, mode, id]);
  const [row, shop] = [found[0], toNamedShops(found)[0]];
  if (!row || !shop) throw new OperationError(ErrorCode.ShopNotFound);
  const position = before === undefined ? [] : decodePosition(before);
  const parameters = [merchantId, mode, row.site, size + 1, ...position];
  const rows = await queryRows(pool, differenceSchema, differencesSql(before === undefined), parameters);
  const differences = rows.slice(0, size);
  const last = differences.at(-1);
  return { shop, differences, next: last && rows.length > size ? encodePosition(last) : null };
}

const encodePosition = ({ orderId, subject, subjectId, field }: ShopDifference): string =>
  Buffer.from(JSON.stringify([orderId, subject, subjectId, field])).toString("base64url");

function decodePosition(cursor: string): Position {
  try {
    return positionSchema.parse(JSON.parse(Buffer.from(cursor, "base64url").toString()));
  } catch {
    throw invalidCursor("before");
  }
}
