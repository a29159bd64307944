const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'];

/** `1.3 GB`, as disks and clouds count. */
export function fileSize(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const format = { style: 'unit', unit: units[power], maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat('en', format).format(bytes / 1000 ** power);
}
