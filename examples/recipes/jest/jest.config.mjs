// Node runs these files without a transform. If you use Babel, SWC or ts-jest, keep its transform for your own files.
export default { transform: {} };
