/** The package has no types of its own. */
declare module 'postject' {
  export function inject(
    executable: string,
    name: string,
    data: Buffer,
    options: { sentinelFuse: string; machoSegmentName?: string },
  ): Promise<void>;
}
