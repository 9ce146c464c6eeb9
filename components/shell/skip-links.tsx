'use client';

import { findComposerField } from './use-composer-arrival';

/** The first two stops of every page. The second hides where no composer is, and leads into its text box, as F6 does. */
export function SkipLinks() {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to conversation
      </a>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place of this page, and to the field in it. */}
      <a
        href="#composer"
        className="skip-link [:root:not(:has(#composer))_&]:hidden"
        onClick={(event) => {
          const field = findComposerField();
          if (!field) return;
          event.preventDefault();
          field.focus();
        }}
      >
        Skip to composer
      </a>
    </>
  );
}
