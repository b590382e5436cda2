import { hasRight, type Mode, modeSchema } from "@tillgate/contract";
import Head from "next/head";
import { useRouter } from "next/router";
import type { ReactNode } from "react";
import { merchantPath } from "#paths.ts";
import { LANGUAGE_NAMES, languageSchema } from "#texts/languages.ts";
import type { TextKey } from "#texts/texts.ts";
import { toFieldId } from "./fields";
import { Button, Form } from "./form";
import { Slashes } from "./parts";
import { useMerchantPage, usePage } from "./use-page";

/** Renders the result or the errors of the last form. The script focuses the errors, so that screen readers announce them first. */
export function NoticeBox(): ReactNode {
  const { page, t } = usePage();
  const { notice, form } = page;
  if (form && form.errors.length > 0)
    return (
      <div className="box bad" role="alert" tabIndex={-1} data-focus="" data-testid="form-errors">
        <h2>{t("form.notAccepted")}</h2>
        <ul>
          {form.errors.map(({ field, text, values }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: The list is rendered once.
            <li key={index}>
              {field === null ? (
                t(text, values)
              ) : (
                <a href={`#${toFieldId(form.action, form.values.of, field)}`}>{t(text, values)}</a>
              )}
            </li>
          ))}
        </ul>
      </div>
    );
  if (notice === null) return null;
  return (
    <p className={`box ${notice.tone}`} role="status" data-testid="notice">
      {t(notice.text, notice.values)}
    </p>
  );
}

export type FrameProps = {
  title: string;
  /** Back link above the title. */
  back?: { href: string; text: string };
  /** Page actions next to the title. */
  tools?: ReactNode;
  /** Narrow layout for a single form. */
  narrow?: boolean;
  /** Sections to show instead of the merchant's, on pages that belong to no merchant. */
  sections?: readonly Section[];
  children: ReactNode;
};

export type Section = { name: string; href: string; text: string; current: boolean };

export function Frame({ title, back, tools, narrow, sections, children }: FrameProps): ReactNode {
  const { page, t } = usePage();
  const { merchant, user } = page;
  const mode = merchant ? t(`mode.${merchant.mode}`) : null;
  return (
    <>
      <Head>
        <title>{`${mode ? `${mode.toUpperCase()} · ` : ""}${title} · Tillgate`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script src={`/assets/console.js?v=${process.env.ASSET_VERSION}`} defer />
      </Head>
      <a className="skip" href="#main">
        {t("frame.skip")}
      </a>
      <div
        className={["app", merchant?.mode, merchant || sections ? "sectioned" : ""].filter(Boolean).join(" ")}
      >
        <header>
          <div className="top">
            <a className="brand" href={merchant ? merchantPath(merchant.merchantId, merchant.mode) : "/"}>
              {/* biome-ignore lint/performance/noImgElement: An SVG of 200 bytes, and Next's optimizer is off. */}
              <img src="/assets/icon.svg" alt="" width="28" height="28" />
              <span>Tillgate</span>
            </a>
            {merchant ? <MerchantSwitch /> : null}
            {merchant ? <SearchBox /> : null}
            {user?.administrator ? (
              <a className="house" href="/admin" data-testid="administration">
                {t("admin.title")}
              </a>
            ) : null}
            {user ? (
              <a className="me" href="/account" data-testid="account-link">
                {user.email}
              </a>
            ) : null}
          </div>
          {merchant?.mode === "sandbox" ? (
            <p className="test-mode" data-testid="test-mode">
              <strong>{t("mode.sandbox")}</strong> <span>{t("frame.noRealMoney")}</span>
            </p>
          ) : null}
        </header>
        {sections ? <Navigation sections={sections} /> : null}
        {merchant ? <MerchantNavigation /> : null}
        <main id="main" className={narrow ? "narrow" : undefined} tabIndex={-1}>
          {back ? (
            <a className="back" href={back.href}>
              ← {back.text}
            </a>
          ) : null}
          <div className="head">
            <h1>
              <Slashes text={title} />
            </h1>
            {tools ? <div className="tools">{tools}</div> : null}
          </div>
          <NoticeBox />
          {children}
        </main>
        <Footer />
      </div>
      <p className="unseen" role="status" data-announcer="" />
    </>
  );
}

function MerchantSwitch(): ReactNode {
  const { page, t, merchant } = useMerchantPage();
  const samePage = useSamePage();
  const { merchants, administrator } = page.user ?? { merchants: [], administrator: false };
  return (
    <div className="merchant-switch">
      {merchants.length > 1 || administrator ? (
        <a className="merchant" href="/?choose=1" title={t("frame.otherMerchant")}>
          {merchant.name ?? t("frame.unnamedMerchant")} <span aria-hidden="true">▾</span>
        </a>
      ) : (
        <span className="merchant">{merchant.name}</span>
      )}
      <nav className="modes" aria-label={t("frame.mode")}>
        {modeSchema.options.map((mode) => (
          <a
            key={mode}
            href={samePage(mode)}
            aria-current={mode === merchant.mode ? "true" : undefined}
            data-mode={mode}
          >
            {t(`mode.${mode}`)}
          </a>
        ))}
      </nav>
    </div>
  );
}

function SearchBox(): ReactNode {
  const { t, to } = useMerchantPage();
  return (
    <form className="search" action={to("search")}>
      <input
        type="search"
        name="q"
        required
        aria-label={t("search.label")}
        placeholder={t("search.placeholder")}
        data-search=""
      />
      <span className="key with-script">/</span>
    </form>
  );
}

const SECTIONS = [
  ["home", [], null],
  ["orders", ["orders"], "payments.view"],
  ["refunds", ["refunds"], "payments.view"],
  ["payouts", ["payouts"], "payments.view"],
  ["wallets", ["wallets"], "payments.view"],
  ["reports", ["reports"], "reports.view"],
  ["links", ["links"], "payments.view"],
  ["tills", ["tills"], "tills.use"],
  ["developers", ["developers"], "credentials.view"],
  ["controls", ["test-controls"], "controls.view"],
  ["webhooks", ["webhooks"], "webhooks.view"],
  ["members", ["members"], "members.view"],
  ["settings", ["settings"], "settings.view"],
] as const;

const SANDBOX_SECTIONS: readonly string[] = ["controls"];

const existsIn = (mode: Mode, section: string): boolean =>
  mode === "sandbox" || !SANDBOX_SECTIONS.includes(section);

/** Returns a function that maps the page to another mode: a detail page to its section, because IDs differ, and a sandbox-only page to Home. */
function useSamePage(): (mode: Mode) => string {
  const { page, merchant, to } = useMerchantPage();
  const { merchantId } = merchant;
  const { pathname } = useRouter();
  return (mode) => {
    const [path = "", query] = page.path.split("?");
    const parts = path.slice(to().length + 1).split("/");
    const section = SECTIONS.find(([, [part]]) => part === parts[0])?.[0];
    if (parts[0] === "" || (section !== undefined && !existsIn(mode, section)))
      return merchantPath(merchantId, mode);
    if (pathname.includes("[", pathname.indexOf("[mode]") + 1)) parts.splice(1);
    const parameters = new URLSearchParams(query);
    for (const cursor of ["before", "after"]) parameters.delete(cursor);
    return `${merchantPath(merchantId, mode, ...parts)}${parameters.size > 0 ? `?${parameters}` : ""}`;
  };
}

function MerchantNavigation(): ReactNode {
  const { page, t, merchant, to } = useMerchantPage();
  const path = page.path.split("?")[0] ?? "";
  const sections = SECTIONS.filter(
    ([name, , right]) => (right === null || hasRight(merchant.role, right)) && existsIn(merchant.mode, name),
  );
  return (
    <Navigation
      sections={sections.map(([name, parts]) => {
        const href = to(...parts);
        const current = name === "home" ? path === href : path === href || path.startsWith(`${href}/`);
        const key: TextKey = `nav.${name}`;
        return { name, href, text: t(key), current };
      })}
    />
  );
}

function Navigation({ sections }: { sections: readonly Section[] }): ReactNode {
  const { t } = usePage();
  return (
    <nav className="sections" aria-label={t("frame.sections")}>
      <ul>
        {sections.map(({ name, href, text, current }) => (
          <li key={name}>
            <a href={href} aria-current={current ? "page" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Footer(): ReactNode {
  const { page, t } = usePage();
  return (
    <footer className="foot">
      <Form action="choose" to={`/language?next=${encodeURIComponent(page.path)}`} className="inline">
        <span>{t("frame.language")}</span>
        {languageSchema.options.map((language) => (
          <Button
            key={language}
            kind="link"
            name="language"
            value={language}
            pressed={language === page.language}
            lang={language}
          >
            {LANGUAGE_NAMES[language]}
          </Button>
        ))}
      </Form>
      {page.user ? (
        <Form action="leave" to="/sign-out" className="inline">
          <Button kind="link" testId="sign-out">
            {t("frame.signOut")}
          </Button>
        </Form>
      ) : null}
    </footer>
  );
}
