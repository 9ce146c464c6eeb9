/** A font file imported for its address, to be fetched before the style sheet asks for it. */
declare module '*.woff2' {
  const address: string;
  export default address;
}
