import {
  consoleAccentPreviewResponseSchema,
  consoleBrandingResponseSchema,
  consoleEmbedOriginsResponseSchema,
  consoleProfileResponseSchema,
  hasRight,
  MAX_EMBED_ORIGINS,
  MAX_LOGO_BYTES,
  MAX_MAIL_ADDRESSES,
  type Mode,
  mailTopicSchema,
  modeSchema,
  parseEmbedOrigin,
} from "@tillgate/contract";
import type { ReactNode } from "react";
import { z } from "zod";
import { ApiError, change, read } from "#internal-api.ts";
import { joinPath } from "#paths.ts";
import { consolePage } from "#server/console-page.ts";
import { rejectField, textField } from "#server/forms.ts";
import type { PageRequest } from "#server/request.ts";
import { zoneText } from "#texts/formats.ts";
import { BrandSettings } from "#views/brand-settings.tsx";
import { Button, Field, Form, TextArea } from "#views/form.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Facts } from "#views/parts.tsx";
import { usePage } from "#views/use-page.tsx";

type EmbedProps = { origins: readonly string[]; mode: Mode; changes: boolean };

function EmbedSettings({ origins, mode, changes }: EmbedProps): ReactNode {
  const { t } = usePage();
  return (
    <Card id="embed" title={t("settings.embed")}>
      <p className="soft">{t("settings.embedExplanation")}</p>
      {changes ? (
        <Form action="origins">
          <TextArea
            name="origins"
            rows={3}
            label={t(`settings.origins.${mode}`)}
            hint={t(`settings.originsHint.${mode}`)}
            value={origins.join("\n")}
            optional
          />
          <div className="tools">
            <Button testId="save-origins">{t("form.save")}</Button>
          </div>
        </Form>
      ) : (
        <Facts rows={[[t(`settings.origins.${mode}`), origins.join(", ") || t("settings.originsNone")]]} />
      )}
    </Card>
  );
}

/** Renders the subscription to the monthly report. Months start and end in the time zone that the user had when turning it on. */
function MonthlyReport({ subscription }: { subscription: Profile["monthly_report"] }): ReactNode {
  const { page, t, f } = usePage();
  const zone = zoneText(page.timeZone);
  const isSameZone = subscription?.time_zone === page.timeZone;
  return (
    <Card id="monthly-report" title={t("settings.monthlyReport")}>
      <p className="soft">{t("settings.monthlyReportExplanation")}</p>
      {subscription === null ? (
        <Form action="monthly-report">
          <p className="soft">{t("settings.monthlyReportZone", { zone })}</p>
          <div className="tools">
            <Button kind="quiet" name="enabled" value="true">
              {t("settings.turnOn")}
            </Button>
          </div>
        </Form>
      ) : (
        <Form action="monthly-report">
          <Facts
            rows={[
              [t("settings.monthlyReportTo"), page.user?.email],
              [t("settings.monthlyReportNext"), f.month(subscription.month)],
              [t("account.timeZone"), zoneText(subscription.time_zone)],
            ]}
          />
          {isSameZone ? null : <p className="soft">{t("settings.monthlyReportZoneChange")}</p>}
          <div className="tools">
            {isSameZone ? null : (
              <Button kind="quiet" name="enabled" value="true">
                {t("settings.monthlyReportUseZone", { zone })}
              </Button>
            )}
            <Button kind="quiet" name="enabled" value="false">
              {t("settings.turnOff")}
            </Button>
          </div>
        </Form>
      )}
    </Card>
  );
}

export const config = { unstable_runtimeJS: false };

/** Maximum size of the form, larger than the file limit, so that an oversized file is reported next to its field. */
const MAX_FILE_FORM_BYTES = 4 * 1024 * 1024;
const COLOUR = /^#[0-9a-f]{6}$/i;

type Profile = z.infer<typeof consoleProfileResponseSchema>["data"];
type Props = {
  profile: Profile;
  /** Saved branding, or the branding to preview. */
  brand: { name: string; accent: string; hasLogo: boolean; tried: boolean };
  preview: z.infer<typeof consoleAccentPreviewResponseSchema>["data"] | null;
  /** Origins that may embed payments in this mode. */
  origins: string[];
};

export default function SettingsPage({ profile, brand, preview, origins }: Props): ReactNode {
  const { page, t } = usePage();
  const { merchant } = page;
  if (merchant === null) return null;
  const changes = hasRight(merchant.role, "settings.change");
  return (
    <Frame title={t("nav.settings")}>
      <Card title={t("settings.profile")}>
        <Facts
          rows={[
            [t("settings.name"), profile.name],
            [t("settings.id"), <code key="id">{profile.merchant_id}</code>],
            [t("settings.partnerApi"), t(profile.partner_api ? "list.yes" : "list.no")],
            [t("settings.refundsNeedApproval"), t(profile.refunds_need_approval ? "list.yes" : "list.no")],
          ]}
        />
        <p className="soft">{t("settings.askAdministrator")}</p>
      </Card>
      <BrandSettings
        brand={brand}
        preview={preview}
        merchantName={profile.name}
        merchantId={merchant.merchantId}
        changes={changes}
      />
      <EmbedSettings origins={origins} mode={merchant.mode} changes={changes} />
      <Card title={t("settings.notices")}>
        {changes ? (
          <Form action="notices">
            <Field
              name="notice_email"
              type="email"
              label={t("settings.noticeEmail")}
              hint={t("settings.noticeEmailHint")}
              value={profile.notice_email ?? ""}
              optional
            />
            {mailTopicSchema.options.map((topic) => (
              <Field
                key={topic}
                name={topic}
                label={t(`settings.mails.${topic}`)}
                hint={t(`settings.mailsHint.${topic}`)}
                value={profile.mails[topic].join(", ")}
                inputMode="email"
                optional
              />
            ))}
            <div className="tools">
              <Button testId="save-mails">{t("form.save")}</Button>
            </div>
          </Form>
        ) : (
          <Facts
            rows={[
              [t("settings.noticeEmail"), profile.notice_email ?? t("settings.noticeEmailNone")],
              ...mailTopicSchema.options.map(
                (topic) =>
                  [
                    t(`settings.mails.${topic}`),
                    profile.mails[topic].join(", ") || t("settings.noRecipients"),
                  ] as const,
              ),
            ]}
          />
        )}
      </Card>
      {merchant.role !== "administrator" && hasRight(merchant.role, "reports.view") ? (
        <MonthlyReport subscription={profile.monthly_report} />
      ) : null}
    </Frame>
  );
}

const brandPath = ({ part }: PageRequest) => joinPath("merchants", part("merchant"), "branding");

/** Parses the brand form, to preview or to save. @throws FormRejected for an invalid colour */
function readBrand(form: URLSearchParams): { name: string; accent: string } {
  const accent = textField(form, "accent");
  if (accent !== "" && !COLOUR.test(accent)) rejectField("accent", "error.colour");
  return { name: textField(form, "name"), accent };
}

/** Parses e-mail addresses separated by commas, semicolons or whitespace. @throws FormRejected if an address is invalid or there are too many */
function readAddresses(form: URLSearchParams, name: string, max: number): string[] {
  const addresses = textField(form, name)
    .split(/[\s,;]+/)
    .filter(Boolean);
  if (addresses.some((address) => !z.email().safeParse(address).success)) rejectField(name, "error.email");
  if (addresses.length > max) rejectField(name, "error.tooManyAddresses");
  return addresses;
}

const originsPath = ({ part }: PageRequest) =>
  joinPath("merchants", part("merchant"), part("mode"), "embed-origins");

/** Parses origins separated by commas or whitespace. @throws FormRejected if an origin is invalid or there are too many */
function readOrigins(form: URLSearchParams, mode: string): string[] {
  const lines = textField(form, "origins")
    .split(/[\s,]+/)
    .filter(Boolean);
  const kind = modeSchema.parse(mode);
  if (lines.some((address) => parseEmbedOrigin(address, kind) === null))
    rejectField("origins", kind === "live" ? "error.liveOrigin" : "error.origin");
  if (lines.length > MAX_EMBED_ORIGINS) rejectField("origins", "error.tooManyOrigins");
  return lines;
}

const saved = { flash: { notice: { tone: "good" as const, text: "form.saved" as const } } };

export const getServerSideProps = consolePage<Props>({
  maxFileFormBytes: MAX_FILE_FORM_BYTES,
  load: async (request) => {
    const { caller, part, query } = request;
    const [profile, saved, { origins }] = await Promise.all([
      read(caller, joinPath("merchants", part("merchant"), "profile"), consoleProfileResponseSchema),
      read(caller, brandPath(request), consoleBrandingResponseSchema),
      read(caller, originsPath(request), consoleEmbedOriginsResponseSchema),
    ]);
    const tried = query("name") !== undefined || query("accent") !== undefined;
    const accent = (tried ? query("accent") : saved.accent) ?? "";
    const preview = COLOUR.test(accent)
      ? await read(caller, `${brandPath(request)}/preview`, consoleAccentPreviewResponseSchema, { accent })
      : null;
    const name = (tried ? query("name") : saved.name) ?? "";
    return { profile, preview, origins, brand: { name, accent, hasLogo: saved.logo !== null, tried } };
  },
  actions: {
    brand: async (request, form) => {
      const { name, accent } = readBrand(form);
      const settings = request.consolePath("settings");
      // The preview is in the URL, so that it needs no script and saves nothing.
      if (form.get("step") === "try")
        return { to: `${settings}?${new URLSearchParams({ name, accent })}#brand` };
      await change(request.caller, brandPath(request), consoleBrandingResponseSchema, {
        name: name || null,
        accent: accent || null,
      });
      return { to: settings, ...saved };
    },
    logo: async (request, form) => {
      const logo = form.get("file") ?? "";
      if (logo === "") rejectField("file", "error.required");
      if (Buffer.byteLength(logo, "base64") > MAX_LOGO_BYTES) rejectField("file", "error.logoTooLarge");
      try {
        await change(request.caller, brandPath(request), consoleBrandingResponseSchema, { logo });
      } catch (error) {
        if (error instanceof ApiError && error.code === "invalid_value") rejectField("file", "error.logo");
        throw error;
      }
      return { to: request.consolePath("settings"), ...saved };
    },
    "remove-logo": async (request) => {
      await change(request.caller, brandPath(request), consoleBrandingResponseSchema, { logo: null });
      return { to: request.consolePath("settings"), ...saved };
    },
    origins: async (request, form) => {
      const origins = readOrigins(form, request.part("mode"));
      await change(request.caller, originsPath(request), consoleEmbedOriginsResponseSchema, { origins });
      return { to: `${request.consolePath("settings")}#embed`, ...saved };
    },
    notices: async ({ caller, part, consolePath }, form) => {
      const path = joinPath("merchants", part("merchant"), "profile");
      const notice_email = textField(form, "notice_email") || null;
      if (notice_email !== null) readAddresses(form, "notice_email", 1);
      const mails = Object.fromEntries(
        mailTopicSchema.options.map((topic) => [topic, readAddresses(form, topic, MAX_MAIL_ADDRESSES)]),
      );
      await change(caller, path, consoleProfileResponseSchema, { notice_email, mails });
      return { to: consolePath("settings"), ...saved };
    },
    "monthly-report": async ({ caller, part, consolePath }, form) => {
      const path = joinPath("merchants", part("merchant"), "monthly-report");
      await change(caller, path, consoleProfileResponseSchema, { enabled: form.get("enabled") === "true" });
      return { to: `${consolePath("settings")}#monthly-report`, ...saved };
    },
  },
});
