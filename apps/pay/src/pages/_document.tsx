import NextDocument, { type DocumentContext, Head, Html, Main, NextScript } from "next/document";
import type { JSX } from "react";
import type { PageLocale } from "#http/page-locale.ts";
import { getDirection, type Locale, resolveLocale } from "#texts/languages.ts";

type Props = { locale: Locale };

export default class PayDocument extends NextDocument<Props> {
  static override async getInitialProps(context: DocumentContext) {
    // Next renders its own error pages without a request.
    let locale = resolveLocale({});
    const render = context.renderPage;
    context.renderPage = () =>
      render({
        enhanceApp: (App) => (props) => {
          locale = (props.pageProps as Partial<PageLocale> | undefined)?.locale ?? locale;
          return <App {...props} />;
        },
      });
    const page = await NextDocument.getInitialProps(context);
    return { ...page, locale };
  }

  override render(): JSX.Element {
    const { language } = this.props.locale;
    return (
      <Html lang={language} dir={getDirection(language)}>
        <Head>
          <meta name="robots" content="noindex" />
          <meta name="color-scheme" content="light dark" />
          <meta name="format-detection" content="telephone=no" />
          <link rel="icon" href="/assets/icon.svg" type="image/svg+xml" />
          <link rel="stylesheet" href={`/assets/page.css?v=${process.env.ASSET_VERSION}`} />
        </Head>
        <body>
          <Main />
          <NextScript />
        </body>
      </Html>
    );
  }
}
