import type { AccentShade, CheckoutAccent } from "@tillgate/contract";
import Head from "next/head";
import type { ReactNode } from "react";
import { LANGUAGE_NAMES, languageSchema } from "#texts/languages.ts";
import { useAddress, useLegal, useLocalization } from "./localization";

/** Refresh of a page whose script does not run. If `url` is null, the page itself is loaded again. */
export type Refresh = {
  seconds: number;
  url: string | null;
  /** Whether the script cookie is set; the refresh is then inside `<noscript>`. */
  scripted: boolean;
};

export type FrameProps = {
  title: string;
  sandbox?: boolean;
  /** True loads the page's script, `embed` the embedded frame's. Static views load none. */
  script?: boolean | "embed";
  /** Adds the wallet's style and script. */
  wallet?: boolean;
  refresh?: Refresh | null;
  /** The merchant's colour. The response's policy allows this one inline style by its nonce. */
  brand?: { accent: CheckoutAccent; nonce: string } | null;
  children: ReactNode;
};

/** Renders the layout of every view. The announcer remains in place when the script replaces `main`, so that changes are announced. */
export function Frame({ title, sandbox, script, wallet, refresh, brand, children }: FrameProps): ReactNode {
  const { texts, fill } = useLocalization();
  const reload = refresh && (
    <meta
      httpEquiv="refresh"
      content={refresh.url === null ? `${refresh.seconds}` : `${refresh.seconds};url=${refresh.url}`}
    />
  );
  return (
    <>
      <Head>
        <title>{sandbox ? fill(texts.testMode.pageTitle, { title }) : title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {refresh?.scripted ? <noscript>{reload}</noscript> : reload}
        {/* Runs before first paint, because it shows, hides and localizes elements. */}
        {script ? (
          <script
            src={`/assets/${script === "embed" ? "embed" : "checkout"}.js?v=${process.env.ASSET_VERSION}`}
            defer
            blocking="render"
          />
        ) : null}
        {wallet ? (
          <>
            <link rel="stylesheet" href={`/assets/wallet.css?v=${process.env.ASSET_VERSION}`} />
            <script src={`/assets/wallet.js?v=${process.env.ASSET_VERSION}`} defer blocking="render" />
          </>
        ) : null}
        {brand ? <style nonce={brand.nonce}>{brandStyle(brand.accent)}</style> : null}
      </Head>
      {sandbox ? (
        <header className="test-mode" data-testid="pay-test-mode">
          <strong>{texts.testMode.title}</strong> <span>{texts.testMode.explanation}</span>
        </header>
      ) : null}
      {children}
      <footer className="footer">
        <p>{texts.footer}</p>
        <LegalLinks />
        <Languages />
      </footer>
      <p className="unseen" role="status" aria-live="polite" data-announcer="" />
    </>
  );
}

/** Renders the configured links to the terms and the privacy policy. They open in a new tab, so that the payment stays open. */
function LegalLinks(): ReactNode {
  const { texts } = useLocalization();
  const { terms, privacy } = useLegal();
  const links = [
    { href: terms, text: texts.legal.terms, testId: "pay-terms" },
    { href: privacy, text: texts.legal.privacy, testId: "pay-privacy" },
  ].filter((link): link is typeof link & { href: string } => link.href !== null);
  if (links.length === 0) return null;
  return (
    <p className="foot-links">
      {links.map(({ href, text, testId }) => (
        <a key={href} href={href} target="_blank" rel="noopener noreferrer" data-testid={testId}>
          {text}
        </a>
      ))}
    </p>
  );
}

function Languages(): ReactNode {
  const { texts, locale } = useLocalization();
  const address = useAddress();
  if (address === null) return null;
  const join = address.includes("?") ? "&" : "?";
  return (
    <nav className="foot-links" aria-label={texts.languages}>
      {languageSchema.options.map((language) => (
        <a
          key={language}
          href={`${address}${join}lang=${language}`}
          hrefLang={language}
          lang={language}
          rel="nofollow"
          aria-current={language === locale.language ? "true" : undefined}
          data-testid={`pay-language-${language}`}
        >
          {LANGUAGE_NAMES[language]}
        </a>
      ))}
    </nav>
  );
}

/** Returns the style with a merchant's colours, which override the page's own. The contract guarantees six-digit hex values. */
const brandStyle = ({ light, dark }: CheckoutAccent): string =>
  `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`;
const rule = ({ color, text }: AccentShade): string => `html:root{--main:${color};--on-main:${text}}`;
