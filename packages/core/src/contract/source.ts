/**
 * Where a rule comes from: a section of the interface (`interface 4.2`), the live service family's public
 * documentation, the framework whose error shapes the interface shows, or a choice of this kit.
 * Everything that is not `interface ...` is an extension.
 */
export type Source = `interface ${string}` | 'live' | 'laravel' | 'ours';
