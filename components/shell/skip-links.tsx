/** The first two stops of every page. The second hides where no composer is. */
export function SkipLinks() {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to conversation
      </a>
      <a href="#composer" className="skip-link [:root:not(:has(#composer))_&]:hidden">
        Skip to composer
      </a>
    </>
  );
}
