import type { Response } from "express";
import type { ReactElement, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";

/** Renders a product's illustration. The alternative text is empty because the product's name is next to the image. */
export function Artwork({ name }: { name: string | null }): ReactElement {
  return <img className="artwork" src={`/assets/artwork/${name ?? "plain"}.svg`} alt="" />;
}

function BrandMark(): ReactElement {
  return (
    <svg className="brand-mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M4 30V17a12 12 0 0 1 24 0v13h-7V18a5 5 0 0 0-10 0v12z" fill="currentColor" />
      <g fill="#71805a">
        <circle cx="16" cy="4.5" r="3" />
        <circle cx="12.6" cy="8.6" r="3" />
        <circle cx="19.4" cy="8.6" r="3" />
      </g>
    </svg>
  );
}

/** Refresh of a waiting page whose script does not run. */
export type Refresh = {
  seconds: number;
  address: string;
  /** Whether the script cookie is set. If not, the refresh is outside `<noscript>`, because the script may be blocked or fail to load. */
  scripted: boolean;
};

export type PageProps = {
  title: string;
  children: ReactNode;
  /** Pieces in the cart, shown in the header; undefined on the owner's pages. */
  cartPieces?: number | undefined;
  scripts?: string[];
  /** URL of the payment service's script, which the response's policy must allow. */
  paymentScript?: string | undefined;
  refresh?: Refresh | undefined;
  owner?: boolean;
};

export function Page({
  title,
  children,
  cartPieces,
  scripts = [],
  paymentScript,
  refresh,
  owner = false,
}: PageProps): ReactElement {
  const reload = refresh && (
    <meta httpEquiv="refresh" content={`${refresh.seconds}; url=${refresh.address}`} />
  );
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Kiln & Clover`}</title>
        <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/assets/shop.css" />
        {refresh?.scripted ? <noscript>{reload}</noscript> : reload}
        {scripts.map((name) => (
          <script key={name} src={`/assets/${name}`} defer />
        ))}
        {paymentScript === undefined ? null : <script src={paymentScript} defer />}
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to the content
        </a>
        <header className="site-header">
          <div className="bar">
            <a className="brand" href={owner ? "/owner" : "/"}>
              <BrandMark />
              <span>Kiln &amp; Clover</span>
            </a>
            <nav aria-label="Main">
              {owner ? (
                <a href="/">Shop</a>
              ) : (
                <a href="/cart" data-testid="cart-link">
                  Cart{cartPieces ? <span className="count"> {cartPieces}</span> : null}
                  {cartPieces ? <span className="hidden"> {cartPieces === 1 ? "item" : "items"}</span> : null}
                </a>
              )}
            </nav>
          </div>
        </header>
        <main id="content" tabIndex={-1}>
          {children}
        </main>
        <footer className="site-footer">
          <div className="bar">
            <p>Kiln &amp; Clover is a demo shop: nothing is shipped.</p>
            <p>
              <a href="/owner">Shop owner</a>
            </p>
          </div>
        </footer>
      </body>
    </html>
  );
}

export function sendPage(response: Response, page: ReactElement, status = 200): void {
  response
    .status(status)
    .set("Cache-Control", "no-store")
    .type("html")
    .send(`<!doctype html>${renderToStaticMarkup(page)}`);
}

export type MessageProps = {
  title: string;
  /** Line above the title. */
  about?: string;
  text: string;
  cartPieces?: number | undefined;
  /** Next steps; the first is the primary one. */
  next?: { href: string; label: string; testId?: string }[];
  testId?: string;
  role?: "alert";
};

export function MessagePage(props: MessageProps): ReactElement {
  const { title, about, text, cartPieces, testId = "message", role } = props;
  const { next = [{ href: "/", label: "Go to shop" }] } = props;
  return (
    <Page title={title} cartPieces={cartPieces}>
      <div className="narrow" data-testid={testId}>
        {about === undefined ? null : <p className="eyebrow">{about}</p>}
        <h1>{title}</h1>
        <p role={role}>{text}</p>
        <p className={next.length > 1 ? "actions" : undefined}>
          {next.map((step, index) => (
            <a
              key={step.href}
              className={index === 0 ? "button" : "button secondary"}
              href={step.href}
              data-testid={step.testId}
            >
              {step.label}
            </a>
          ))}
        </p>
      </div>
    </Page>
  );
}
