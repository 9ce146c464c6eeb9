/**
 * Whoever holds the launch cookie, or may reach a server without sign-in, is the owner (api.md, Auth). Accounts come
 * later; until then every event of a person carries this name.
 */
export const OWNER = 'owner';
