import {
  consoleAccentPreviewQuerySchema,
  consoleBrandingRequestSchema,
  consoleEmbedOriginsRequestSchema,
  consoleMonthlyReportRequestSchema,
  consoleProfileRequestSchema,
  mailTopicSchema,
} from "@tillgate/contract";
import type { Router } from "express";
import { setNoticeEmail } from "../../administration/merchants.js";
import {
  previewAccent,
  readBranding,
  SHAPE_CONTRAST,
  type ShownAccent,
  setBranding,
} from "../../checkout/branding.js";
import { readEmbedOrigins, setEmbedOrigins } from "../../checkout/embed.js";
import type { Context } from "../../context.js";
import type { ConsoleAccess } from "../../identity/console/access.js";
import { findMerchant } from "../../identity/merchants.js";
import { readMailAddresses, setMailAddresses } from "../../mail/addresses.js";
import {
  readMonthlyReportSubscription,
  subscribeToMonthlyReport,
  unsubscribeFromMonthlyReport,
} from "../../reports/monthly-reports.js";
import { parse } from "../shared/parse.js";
import { serve, succeed } from "../shared/routes.js";
import { withRight, withRightInMode } from "./caller.js";

export function serveSettings(router: Router, context: Context): void {
  const allowed = withRight(context);

  const loadProfile = async (access: ConsoleAccess) => {
    const { merchantId } = access;
    const merchant = await findMerchant(context, merchantId);
    const report = await readMonthlyReportSubscription(context, access);
    return {
      merchant_id: merchant.id,
      name: merchant.name,
      suspended: merchant.suspendedAt !== null,
      partner_api: merchant.partnerApiEnabled,
      refunds_need_approval: merchant.refundsNeedApproval,
      notice_email: merchant.noticeEmail,
      mails: await readMailAddresses(context, merchantId),
      monthly_report: report ? { time_zone: report.timeZone, month: report.month } : null,
    };
  };

  const loadBranding = async (merchantId: string) => {
    const { name, accent, logo, logoType } = await readBranding(context, merchantId);
    const picture = logo && `data:${logoType};base64,${Buffer.from(logo).toString("base64")}`;
    return { name, accent, logo: picture };
  };

  serve(router, "/merchants/:merchant/profile", {
    get: allowed("settings.view", async (access, _request, response) => {
      succeed(response, "Profile retrieved", await loadProfile(access));
    }),
    post: allowed("settings.change", async (access, request, response) => {
      const { merchantId: merchant, by } = access;
      const { notice_email: email, mails = {} } = parse(consoleProfileRequestSchema, request.body);
      if (email !== undefined) await setNoticeEmail(context, { merchant, email, administrator: by });
      for (const topic of mailTopicSchema.options) {
        const addresses = mails[topic];
        if (addresses)
          await setMailAddresses(context, { merchantId: merchant, topic, addresses, administrator: by });
      }
      succeed(response, "Profile changed", await loadProfile(access));
    }),
  });

  serve(router, "/merchants/:merchant/monthly-report", {
    post: allowed("reports.view", async (access, request, response) => {
      const { enabled } = parse(consoleMonthlyReportRequestSchema, request.body);
      if (enabled) await subscribeToMonthlyReport(context, access, access.timeZone);
      else await unsubscribeFromMonthlyReport(context, access);
      succeed(response, "Monthly report changed", await loadProfile(access));
    }),
  });

  const toAccent = ({ color, text, textContrast, ownContrast }: ShownAccent) => ({
    color,
    text,
    text_contrast: textContrast,
    own_contrast: ownContrast,
  });

  serve(router, "/merchants/:merchant/branding/preview", {
    get: allowed("settings.view", async (_access, request, response) => {
      const { accent } = parse(consoleAccentPreviewQuerySchema, request.query);
      const { light, dark } = previewAccent(accent.toLowerCase());
      const preview = { light: toAccent(light), dark: toAccent(dark), least_contrast: SHAPE_CONTRAST };
      succeed(response, "Accent colour previewed", preview);
    }),
  });

  serve(router, "/merchants/:merchant/branding", {
    get: allowed("settings.view", async ({ merchantId }, _request, response) => {
      succeed(response, "Branding retrieved", await loadBranding(merchantId));
    }),
    post: allowed("settings.change", async ({ merchantId: merchant, by }, request, response) => {
      const { logo: base64, ...fields } = parse(consoleBrandingRequestSchema, request.body);
      const logo = typeof base64 === "string" ? Buffer.from(base64, "base64") : base64;
      await setBranding(context, { ...fields, logo, merchant, administrator: by });
      succeed(response, "Branding changed", await loadBranding(merchant));
    }),
  });

  const allowedInMode = withRightInMode(context);
  serve(router, "/merchants/:merchant/:mode/embed-origins", {
    get: allowedInMode("settings.view", async (access, _request, response) => {
      succeed(response, "Origins retrieved", { origins: await readEmbedOrigins(context, access) });
    }),
    post: allowedInMode("settings.change", async (access, request, response) => {
      const { origins } = parse(consoleEmbedOriginsRequestSchema, request.body);
      const { merchantId, mode, by } = access;
      await setEmbedOrigins(context, { merchantId, mode, origins, administrator: by });
      succeed(response, "Origins changed", { origins: await readEmbedOrigins(context, access) });
    }),
  });
}
