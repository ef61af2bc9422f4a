// Validates glTF files with the validator of Khronos: node validate_gltf.mjs MODULES FILE...
// MODULES is the folder that holds node_modules. Prints a JSON list of {file, errors, warnings,
// messages}; the exit code is 0 if the validator ran.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const [folder, ...files] = process.argv.slice(2);
const validator = createRequire(resolve(folder, 'package.json'))('gltf-validator');
const reports = [];
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 50 });
  reports.push({ file, errors: report.issues.numErrors, warnings: report.issues.numWarnings,
                 messages: report.issues.messages });
}
console.log(JSON.stringify(reports));
