import {
  changeMerchantRequestSchema,
  changeMerchantWalletRequestSchema,
  createMerchantRequestSchema,
  searchQuerySchema,
} from "@tillgate/contract";
import type { MerchantModel } from "@tillgate/database";
import type { Router } from "express";
import {
  createMerchantAndInvite,
  listMerchants,
  resumeMerchant,
  setNoticeEmail,
  setPartnerApi,
  setRateLimits,
  setRefundApproval,
  showMerchant,
  suspendMerchant,
} from "../../../administration/merchants.js";
import type { Administrator } from "../../../audit/administrator.js";
import type { Context } from "../../../context.js";
import { closeWallet, openWallet } from "../../../money/wallets/open.js";
import { parse, pathParameter } from "../../shared/parse.js";
import { serve, succeed } from "../../shared/routes.js";
import { wireTime } from "../../shared/shapes.js";
import { withAdministrator } from "../caller.js";
import { toConsoleMoney } from "../shapes.js";

const BASE = "/administration/merchants";

const toMerchant = (merchant: MerchantModel) => ({
  merchant_id: merchant.id,
  name: merchant.name,
  suspended_at: merchant.suspendedAt && wireTime(merchant.suspendedAt),
  partner_api: merchant.partnerApiEnabled,
  refunds_need_approval: merchant.refundsNeedApproval,
  pay_requests_per_minute: merchant.payRequestsPerMinute,
  partner_requests_per_minute: merchant.partnerRequestsPerMinute,
  notice_email: merchant.noticeEmail,
  created_at: wireTime(merchant.createdAt),
});

type Changes = ReturnType<typeof changeMerchantRequestSchema.parse>;

/** Changes each field in a separate transaction with a separate audit record, except that the two rate limits share a transaction and a record. */
async function changeMerchant(
  context: Context,
  administrator: Administrator,
  merchant: string,
  fields: Changes,
): Promise<void> {
  const of = { merchant, administrator };
  const { pay_requests_per_minute: pay, partner_requests_per_minute: partner } = fields;
  if (fields.suspended !== undefined)
    await (fields.suspended ? suspendMerchant(context, of) : resumeMerchant(context, of));
  if (fields.partner_api !== undefined) await setPartnerApi(context, { ...of, enabled: fields.partner_api });
  if (fields.refunds_need_approval !== undefined)
    await setRefundApproval(context, { ...of, needed: fields.refunds_need_approval });
  if (pay !== undefined || partner !== undefined) await setRateLimits(context, { ...of, pay, partner });
  if (fields.notice_email !== undefined) await setNoticeEmail(context, { ...of, email: fields.notice_email });
}

export function serveMerchants(router: Router, context: Context): void {
  const administrator = withAdministrator(context);
  const show = async (merchant: string) => {
    const detail = await showMerchant(context, { merchant });
    return {
      ...toMerchant(detail.merchant),
      credentials: detail.credentials,
      wallets: detail.wallets.map(({ mode, balance, held, closed }) => ({
        mode,
        currency: balance.currency.code,
        balance: toConsoleMoney(balance),
        held: toConsoleMoney(held),
        closed,
      })),
    };
  };

  serve(router, BASE, {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      const merchants = await listMerchants(context, parse(searchQuerySchema, request.query));
      succeed(response, "Merchants retrieved", { merchants: merchants.map(toMerchant) });
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { name, owner_email: email } = parse(createMerchantRequestSchema, request.body);
      const input = { name, ownerEmail: email, administrator: by };
      const { merchantId, invitationId } = await createMerchantAndInvite(context, input);
      succeed(response, "Merchant created", { merchant_id: merchantId, invitation_id: invitationId });
    }),
  });

  serve(router, `${BASE}/:merchant`, {
    get: administrator({ fresh: false }, async (_by, request, response) => {
      succeed(response, "Merchant retrieved", await show(pathParameter(request, "merchant")));
    }),
    post: administrator({ fresh: true }, async (by, request, response) => {
      const merchant = pathParameter(request, "merchant");
      await changeMerchant(context, by, merchant, parse(changeMerchantRequestSchema, request.body));
      succeed(response, "Merchant changed", await show(merchant));
    }),
  });

  serve(router, `${BASE}/:merchant/wallets`, {
    post: administrator({ fresh: true }, async (by, request, response) => {
      const { open, ...wallet } = parse(changeMerchantWalletRequestSchema, request.body);
      const owner = { merchant: pathParameter(request, "merchant") };
      const change = open ? openWallet : closeWallet;
      const { changed } = await change(context, { ...wallet, owner, administrator: by });
      succeed(response, "Wallet changed", { changed });
    }),
  });
}
