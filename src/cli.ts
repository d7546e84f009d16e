process.stdout.write('{}');
