import type { ReactElement } from "react";

/** The drawing of a product, plain where it has none. It says nothing that the name beside it does not say. */
export function Artwork({ name }: { name: string | null }): ReactElement {
  return <img className="artwork" src={`/assets/artwork/${name ?? "plain"}.svg`} alt="" />;
}

/** The sign of Kiln & Clover: a clover over an arch. */
export function BrandMark(): ReactElement {
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
