/**
 * The source of a rule. Everything that is not `interface ...` is an extension.
 *
 * - `interface 4.2`: a section of the interface document
 * - `live`: the public documentation of the live services that the interface document describes
 * - `laravel`: the wording of the framework whose error shapes the interface document shows
 * - `ours`: a choice of this kit, where there is no other source
 */
export type Source = `interface ${string}` | 'live' | 'laravel' | 'ours';
